package org.ecstore.cluster.database;

import java.util.List;
import java.util.Optional;
import org.ecstore.engines.kind.EngineKinds;

/** Which kinds of engines have database servers that are made for nodes here. */
public final class MadeServers {
  /** MariaDB, by {@link MariaDbPrograms}. */
  public static final String MYSQL = "mysql";

  /** Redis, by {@link RedisPrograms}. */
  public static final String REDIS = "redis";

  private static final List<String> KINDS = List.of(MYSQL, REDIS);

  private MadeServers() {}

  /** Whether engines of a kind keep their data on a server that is made for them here. */
  public static boolean areFor(String kind) {
    return KINDS.contains(kind);
  }

  /** Why no node of a kind can be made: its server is none of these. Empty for other kinds. */
  public static Optional<String> refusal(String kind) {
    boolean isElsewhere =
        !areFor(kind) && EngineKinds.names().contains(kind) && EngineKinds.named(kind).hasServer();
    return isElsewhere
        ? Optional.of(
            ("nodes of the kind %s keep their data on a server, and only those of %s are made here:"
                    + " configure such a node by hand, with engine.url in its ecstore.toml")
                .formatted(kind, String.join(" and ", KINDS)))
        : Optional.empty();
  }
}
