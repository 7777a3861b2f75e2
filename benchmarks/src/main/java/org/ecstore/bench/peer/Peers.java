package org.ecstore.bench.peer;

import java.util.List;
import java.util.Optional;
import org.ecstore.bench.peer.cassandra.Cassandra;
import org.ecstore.bench.peer.echo.Echo;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.mariadb.MariaDb;
import org.ecstore.bench.peer.redis.Redis;

/** All kinds of stores that ecStore can be measured beside. */
public final class Peers {
  private static final List<Peer> ALL =
      List.of(
          Cassandra.single(),
          Cassandra.ordered(),
          Cassandra.three(),
          new MariaDb(),
          new Redis(),
          new Echo());

  private Peers() {}

  /** That of a name. */
  public static Optional<Peer> of(String name) {
    return ALL.stream().filter(peer -> peer.name().equals(name)).findFirst();
  }

  /** All names. */
  public static List<String> names() {
    return ALL.stream().map(Peer::name).toList();
  }
}
