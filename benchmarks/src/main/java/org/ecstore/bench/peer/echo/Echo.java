package org.ecstore.bench.peer.echo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.ServerProcess;
import org.ecstore.cluster.database.ServerUnavailableException;

/**
 * A server on Netty that answers each read of a key at once, with a record that is always the same.
 * It keeps nothing. Its clients and its frames are those of ecStore: what is left of a read when
 * there is no store.
 */
public final class Echo implements Peer {
  private static final String HOST = "127.0.0.1";
  private static final Duration SERVE_WITHIN = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public Durability usual() {
    return Durability.PERIODIC;
  }

  @Override
  public StartedTarget start(Place place, Durability durability)
      throws ServerUnavailableException, InterruptedException {
    String port = Integer.toString(Loopback.freePorts(1, List.of(HOST)).getFirst());
    String address = HOST + ":" + port;
    Path home = place.directory().toAbsolutePath();
    List<ServerProcess> processes;
    try {
      Files.createDirectories(home);
      processes =
          List.of(
              ServerProcess.start(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Xms256m",
                      "-Xmx256m",
                      "-XX:+UseParallelGC",
                      "--enable-native-access=ALL-UNNAMED",
                      "--sun-misc-unsafe-memory-access=allow",
                      EchoServer.class.getName(),
                      port),
                  home,
                  home.resolve("echo.log"),
                  Map.of("CLASSPATH", System.getProperty("java.class.path"))));
    } catch (IOException e) {
      throw new ServerUnavailableException("it cannot be started: " + e.getMessage(), e);
    }
    StartedTarget target =
        PeerTarget.serving(
            name(), address, home, processes, new EchoClients(address), SERVE_WITHIN);
    place.progress().accept("echo serves on " + address);
    return target;
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws ServerUnavailableException {
    return PeerTarget.running(name(), processes, new EchoClients(addresses));
  }
}
