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
    Path directory) {
  public AttackSettings {
    kinds = List.copyOf(kinds);
  }
}
