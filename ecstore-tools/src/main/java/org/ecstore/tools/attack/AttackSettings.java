package org.ecstore.tools.attack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an attack is. Immutable.
 *
 * @param nodes of the cluster that is made
 * @param kinds in the order in which they come
 * @param frames of each kind
 * @param atMost the time for each kind; absent if only the frames count
 * @param attackers that work at the same time
 * @param otherPorts whether ZooKeeper's and the bookies' ports are attacked too
 * @param pauseMax the longest time that an honest client may get nothing done
 * @param warm how long honest clients work before the first look at the processes
 * @param calm how long before each kind, and after it, what honest clients get done is counted
 * @param directory of the cluster and its logs
 */
public record AttackSettings(
    int nodes,
    List<AttackKind> kinds,
    long frames,
    Optional<Duration> atMost,
    int attackers,
    boolean otherPorts,
    Duration pauseMax,
    long seed,
    Duration warm,
    Duration calm,
    Path directory) {
  /** Caches have filled, and the first compilers are done. */
  public static final Duration WARM = Duration.ofSeconds(5);

  /** Some hundreds of transactions. */
  public static final Duration CALM = Duration.ofSeconds(2);

  public AttackSettings {
    kinds = List.copyOf(kinds);
  }
}
