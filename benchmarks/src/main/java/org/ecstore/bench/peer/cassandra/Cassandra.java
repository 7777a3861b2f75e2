package org.ecstore.bench.peer.cassandra;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.Programs;
import org.ecstore.cluster.database.ServerProcess;
import org.ecstore.cluster.database.ServerUnavailableException;

/**
 * Apache Cassandra 5.0.9 out of its Maven artifact, on a JDK 17, set up as its newer features want
 * it: tries in memory and on disk, unified compaction.
 */
public final class Cassandra implements Peer {
  private static final String ARTIFACT = "org.apache.cassandra:cassandra-all:5.0.9";
  private static final Duration SERVE_WITHIN = Duration.ofMinutes(3);

  private final String name;
  private final List<String> hosts;
  private final CassandraSettings settings;

  private Cassandra(String name, List<String> hosts, CassandraSettings settings) {
    this.name = name;
    this.hosts = hosts;
    this.settings = settings;
  }

  /** One node, keys in the order of their hashes. */
  public static Cassandra single() {
    return new Cassandra(
        "cassandra",
        List.of("127.0.0.1"),
        new CassandraSettings("Murmur3Partitioner", 16, "2048m", 1, "ONE"));
  }

  /** One node, keys in their own order, so that a scan is one of a range of keys. */
  public static Cassandra ordered() {
    return new Cassandra(
        "cassandra-ordered",
        List.of("127.0.0.1"),
        new CassandraSettings("ByteOrderedPartitioner", 1, "2048m", 1, "ONE"));
  }

  /** Three nodes with a copy each; two of them must answer each read and write. */
  public static Cassandra three() {
    return new Cassandra(
        "cassandra3",
        List.of("127.0.0.11", "127.0.0.12", "127.0.0.13"),
        new CassandraSettings("Murmur3Partitioner", 16, "1536m", 3, "QUORUM"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Durability usual() {
    return Durability.PERIODIC;
  }

  @Override
  public StartedTarget start(Place place, Durability durability)
      throws ServerUnavailableException, InterruptedException {
    Path java = Programs.java17();
    List<Path> jars = place.artifacts().jars(ARTIFACT);
    List<Integer> ports = Loopback.freePorts(2, hosts);
    int port = ports.getFirst();
    Path home = place.directory().toAbsolutePath();
    List<ServerProcess> processes = new ArrayList<>();
    boolean started = false;
    try {
      for (String host : hosts) {
        Path directory = home.resolve(host);
        Files.createDirectories(directory);
        settings.write(
            directory, name, new CassandraSettings.Seat(host, hosts.getFirst(), ports), durability);
        processes.add(
            ServerProcess.start(
                command(java, jars, directory),
                directory,
                directory.resolve("output.log"),
                Map.of("CLASSPATH", classPath(jars))));
        place
            .progress()
            .accept(name + " starts on " + host + ", durability " + durability.written());
        // One after the other: two that join at once do not know of each other.
        Loopback.awaitListening(host + ":" + port, processes, SERVE_WITHIN);
      }
      started = true;
    } catch (IOException e) {
      throw new ServerUnavailableException("it cannot be started: " + e.getMessage(), e);
    } finally {
      if (!started) {
        PeerTarget.end(processes);
      }
    }
    String address = hosts.stream().map(host -> host + ":" + port).collect(Collectors.joining(","));
    StartedTarget target =
        PeerTarget.serving(name, address, home, processes, clients(address), SERVE_WITHIN);
    place.progress().accept(name + " serves on " + address);
    return target;
  }

  private CassandraClients clients(String address) {
    return new CassandraClients(Loopback.parsed(address), settings);
  }

  private static String classPath(List<Path> jars) {
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private List<String> command(Path java, List<Path> jars, Path directory)
      throws ServerUnavailableException {
    Path agent =
        jars.stream()
            .filter(jar -> jar.getFileName().toString().startsWith("jamm-"))
            .findFirst()
            .orElseThrow(() -> new ServerUnavailableException("its artifact lacks jamm"));
    return Stream.of(
            Stream.of(java.toString(), "-javaagent:" + agent),
            settings.flags(directory).stream(),
            Stream.of("org.apache.cassandra.service.CassandraDaemon"))
        .flatMap(part -> part)
        .toList();
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws ServerUnavailableException {
    return PeerTarget.running(name, processes, clients(addresses));
  }
}
