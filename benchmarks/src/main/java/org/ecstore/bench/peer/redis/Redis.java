package org.ecstore.bench.peer.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Loopback;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.peer.local.PeerUnavailableException;
import org.ecstore.bench.peer.local.Programs;
import org.ecstore.bench.peer.local.ServerProcess;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;

/**
 * Redis with its append-only file, all data in memory: that on the PATH, or 6.2 out of a Maven
 * artifact.
 */
public final class Redis implements Peer {
  private static final String ARTIFACT = "com.github.codemonstur:embedded-redis:1.4.3";
  private static final String HOST = "127.0.0.1";
  private static final Duration SERVE_WITHIN = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public Durability usual() {
    return Durability.PERIODIC;
  }

  @Override
  public StartedTarget start(Place place, Durability durability)
      throws PeerUnavailableException, InterruptedException {
    Path program = program(place);
    String address = HOST + ":" + Loopback.freePorts(1, List.of(HOST)).getFirst();
    Path home = place.directory().toAbsolutePath();
    List<ServerProcess> processes;
    try {
      Files.createDirectories(home);
      processes =
          List.of(
              ServerProcess.start(
                  List.of(
                      program.toString(),
                      "--port",
                      address.substring(address.indexOf(':') + 1),
                      "--bind",
                      HOST,
                      "--dir",
                      home.toString(),
                      "--appendonly",
                      "yes",
                      "--appendfsync",
                      durability == Durability.COMMIT ? "always" : "everysec",
                      "--save",
                      "",
                      "--daemonize",
                      "no",
                      "--auto-aof-rewrite-percentage",
                      "200"),
                  home,
                  home.resolve("redis.log"),
                  Map.of()));
    } catch (IOException e) {
      throw new PeerUnavailableException("it cannot be started: " + e.getMessage(), e);
    }
    StartedTarget target =
        PeerTarget.serving(
            name(), address, home, processes, new RedisClients(address), SERVE_WITHIN);
    place.progress().accept("redis serves on " + address);
    return target;
  }

  private static Path program(Place place) throws PeerUnavailableException, InterruptedException {
    Optional<Path> found = Programs.find("redis-server");
    if (found.isPresent()) {
      return found.get();
    }
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    String file =
        switch (machine) {
          case "Linux amd64" -> "redis-server-6.2.6-v5-linux-amd64";
          case "Linux aarch64" -> "redis-server-6.2.7-linux-arm64";
          default ->
              throw new PeerUnavailableException(
                  "there is no redis-server on the PATH, and no Maven artifact with one for "
                      + machine);
        };
    return place.artifacts().unpacked(ARTIFACT, file).resolve(file);
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws PeerUnavailableException {
    return PeerTarget.running(name(), processes, new RedisClients(addresses));
  }
}
