package org.ecstore.server;

import java.time.Duration;
import java.util.Optional;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.txn.balance.RebalanceSettings;

/**
 * Copies of ranges. Immutable.
 *
 * @param copies K, the primary's among them; absent for as many as there are nodes, three at most
 * @param longFailure after which copies of a node that is gone are made anew on others
 * @param settle for which a node must be back before ranges go back to it
 * @param host what the nodes of this process share with others that fail together with them; absent
 *     if each counts as on a host of its own
 * @param relaxed whether engines may lack what copies need (rule 23)
 * @param hotReplicas when busy parts of ranges get hot-spot replicas on other nodes
 * @param balance when ranges are split, merged and moved by size and by load
 */
public record ReplicationSettings(
    Optional<Integer> copies,
    Duration longFailure,
    Duration settle,
    Optional<String> host,
    boolean relaxed,
    HotReplicaSettings hotReplicas,
    RebalanceSettings balance) {
  private static final int COPIES = 3;

  /** What a cluster has unless told otherwise. */
  public static final ReplicationSettings DEFAULT =
      new ReplicationSettings(
          Optional.empty(),
          Duration.ofMinutes(5),
          Duration.ofSeconds(5),
          Optional.empty(),
          false,
          HotReplicaSettings.DEFAULT,
          RebalanceSettings.DEFAULT);

  public ReplicationSettings {
    if (copies.isPresent() && copies.get() < 1) {
      throw new IllegalArgumentException("a range has at least one copy, not " + copies.get());
    }
  }

  /** The same with so many copies. */
  public ReplicationSettings withCopies(int count) {
    return new ReplicationSettings(
        Optional.of(count), longFailure, settle, host, relaxed, hotReplicas, balance);
  }

  /** The same with other times. */
  public ReplicationSettings withTimeout(Duration longFailureThen, Duration settleThen) {
    return new ReplicationSettings(
        copies, longFailureThen, settleThen, host, relaxed, hotReplicas, balance);
  }

  /** The same on a host that others may be on. */
  public ReplicationSettings withHost(String label) {
    return new ReplicationSettings(
        copies, longFailure, settle, Optional.of(label), relaxed, hotReplicas, balance);
  }

  /** The same where engines may lack what copies need, or not. */
  public ReplicationSettings withRelaxed(boolean may) {
    return new ReplicationSettings(copies, longFailure, settle, host, may, hotReplicas, balance);
  }

  /** The same with other hot-spot replicas, or none. */
  public ReplicationSettings withHotReplicas(HotReplicaSettings other) {
    return new ReplicationSettings(copies, longFailure, settle, host, relaxed, other, balance);
  }

  /** The same with another balance. */
  public ReplicationSettings withBalance(RebalanceSettings other) {
    return new ReplicationSettings(copies, longFailure, settle, host, relaxed, hotReplicas, other);
  }

  /**
   * How many copies each range of so many nodes has.
   *
   * @throws IllegalArgumentException if more are asked for than there are nodes
   */
  public int copiesOf(int nodes) {
    return copiesOf(nodes, "nodes");
  }

  /**
   * How many copies each range has where each is on one of so many places.
   *
   * @param what the places are, as {@code hosts}
   * @throws IllegalArgumentException if more are asked for than there are
   */
  public int copiesOf(int places, String what) {
    int wanted = copies.orElse(Math.min(COPIES, places));
    if (wanted > places) {
      throw new IllegalArgumentException(
          "%d copies of each range need as many %s, and there are %d"
              .formatted(wanted, what, places));
    }
    return wanted;
  }
}
