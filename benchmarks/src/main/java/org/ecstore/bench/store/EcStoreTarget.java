package org.ecstore.bench.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.process.NewCluster;
import org.ecstore.server.process.NodeResources;
import org.ecstore.server.process.NodeStatus;
import org.ecstore.server.process.ProcessCluster;
import site.ycsb.DBException;

/** A cluster of node processes. One node keeps its ledger in files; several keep it on bookies. */
public final class EcStoreTarget implements Target {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  private final Optional<ProcessCluster> cluster;
  private final Optional<Path> directory;
  private final List<Long> processes;
  private final Map<String, String> settings;
  private final Properties properties = new Properties();

  private EcStoreTarget(
      Optional<ProcessCluster> cluster,
      Optional<Path> directory,
      List<Long> processes,
      String addresses,
      Reads reads,
      Map<String, String> settings) {
    this.cluster = cluster;
    this.directory = directory;
    this.processes = List.copyOf(processes);
    this.settings = settings;
    properties.setProperty(EcStoreDb.ADDRESSES, addresses);
    properties.setProperty(EcStoreDb.LEVEL, reads.level());
    properties.setProperty(EcStoreDb.ISOLATION, reads.isolation());
  }

  /** How its clients read and commit: as {@link EcStoreDb} takes it. */
  public record Reads(String level, String isolation) {}

  /**
   * What is made.
   *
   * @param copies of each range
   * @param resources of each process
   * @param splitHints where the data will be
   */
  public record Shape(int nodes, int copies, NodeResources resources, List<Bytes> splitHints) {}

  /**
   * Makes a cluster and returns when it serves.
   *
   * @param directory where it is kept, empty or not there
   * @param progress is told what happens
   */
  public static EcStoreTarget make(
      Path directory, Shape shape, Reads reads, Consumer<String> progress)
      throws IOException, InterruptedException {
    boolean single = shape.nodes() == 1;
    NewCluster made =
        NewCluster.DEFAULT
            .withSplitHints(shape.splitHints())
            .withReplication(ReplicationSettings.DEFAULT.withCopies(shape.copies()))
            .withResources(shape.resources());
    ProcessCluster cluster =
        ProcessCluster.in(directory, START_WITHIN, single ? made.asStandalone() : made);
    try {
      cluster.up(shape.nodes(), progress);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.down();
      cluster.close();
      throw e;
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("nodes", Integer.toString(shape.nodes()));
    settings.put("copies", Integer.toString(shape.copies()));
    settings.put("engine", "Berkeley DB JE");
    settings.put(
        "durability",
        single
            ? "every commit synced (group commit)"
            : "every commit synced on two of three bookies (group commit)");
    settings.put("level", reads.level());
    settings.put("isolation", reads.isolation());
    settings.put("heap", (shape.resources().heapBytesMax() >> 20) + " MiB");
    settings.put("cache", (shape.resources().cacheBytes() >> 20) + " MiB");
    settings.put("collector", shape.resources().collector());
    return new EcStoreTarget(
        Optional.of(cluster),
        Optional.of(directory),
        cluster.status().stream().flatMap(each -> each.pid().stream()).toList(),
        cluster.addresses(),
        reads,
        settings);
  }

  /**
   * A cluster that runs.
   *
   * @param addresses as {@code host:port,host:port}
   * @param processes of it on this machine, if they are known
   */
  public static EcStoreTarget at(String addresses, List<Long> processes, Reads reads) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("at", addresses);
    settings.put("level", reads.level());
    settings.put("isolation", reads.isolation());
    return new EcStoreTarget(
        Optional.empty(), Optional.empty(), processes, addresses, reads, settings);
  }

  @Override
  public String name() {
    return "ecstore";
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public BenchDb client() throws DBException {
    EcStoreDb client = new EcStoreDb();
    client.setProperties(properties);
    client.init();
    return client;
  }

  /** What its clients are told, to make some elsewhere. */
  public Properties properties() {
    return properties;
  }

  @Override
  public List<Long> processes() {
    return processes;
  }

  @Override
  public OptionalLong bytesOnDisk() {
    return directory.isPresent() ? OptionalLong.of(bytesIn(directory.get())) : OptionalLong.empty();
  }

  private static long bytesIn(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(EcStoreTarget::length).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files come and go while the store runs. */
  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How its nodes are; none if it was not made here. */
  public List<NodeStatus> status() throws IOException {
    return cluster.isPresent() ? cluster.get().status() : List.of();
  }

  /** Ends what was made. */
  @Override
  public void close() {
    if (cluster.isPresent()) {
      try {
        cluster.get().down();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      cluster.get().close();
    }
  }
}
