package org.ecstore.bench.peer.redis;

import java.time.Duration;
import java.util.List;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.RedisPrograms;
import org.ecstore.cluster.database.ServerUnavailableException;

/**
 * Redis with its append-only file, all data in memory: that on the PATH, or 6.2 out of a Maven
 * artifact.
 */
public final class Redis implements Peer {
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
      throws ServerUnavailableException, InterruptedException {
    DatabaseServer server =
        RedisPrograms.find(place.artifacts()).server(place.directory(), options(durability));
    StartedTarget target =
        PeerTarget.serving(
            name(),
            server.address(),
            server.home(),
            List.of(server.begin()),
            new RedisClients(server.address()),
            SERVE_WITHIN);
    place.progress().accept("redis serves on " + server.address());
    return target;
  }

  private static List<String> options(Durability durability) {
    return List.of(
        "--appendonly",
        "yes",
        "--appendfsync",
        durability == Durability.COMMIT ? "always" : "everysec",
        "--save",
        "",
        "--auto-aof-rewrite-percentage",
        "200");
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws ServerUnavailableException {
    return PeerTarget.running(name(), processes, new RedisClients(addresses));
  }
}
