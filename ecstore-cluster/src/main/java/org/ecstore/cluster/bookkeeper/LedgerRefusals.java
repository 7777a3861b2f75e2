package org.ecstore.cluster.bookkeeper;

import org.apache.bookkeeper.meta.exceptions.MetadataException;
import org.apache.zookeeper.KeeperException;
import org.ecstore.cluster.bookkeeper.bookie.LedgerRefusedException;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.server.refusal.Outlook;

/** Turns what stops a ledger from opening into one message that says what to do. */
final class LedgerRefusals {
  private LedgerRefusals() {}

  /**
   * The refusal that a failure to make or read the cluster's metadata comes to. BookKeeper wraps
   * what ZooKeeper said, once or more.
   */
  static LedgerRefusedException of(ClusterPaths paths, Exception failure) {
    for (Throwable next = failure; next != null; next = next.getCause()) {
      switch (next) {
        case LedgerRefusedException known -> {
          return known;
        }
        case SegmentList.BadList damaged -> {
          return damaged(paths, damaged);
        }
        case KeeperException away -> {
          return away(paths, away, failure);
        }
        case MetadataException away -> {
          return away(paths, away, failure);
        }
        case InterruptedException interrupted -> {
          return new LedgerRefusedException(
              "interrupted while the ledger was opened", failure, Outlook.NEXT_START);
        }
        default -> {
          // The cause may say more.
        }
      }
    }
    return new LedgerRefusedException(
        "BookKeeper's metadata at " + paths.bookKeeper() + " cannot be made: " + failure,
        failure,
        Outlook.NEXT_START);
  }

  private static LedgerRefusedException damaged(ClusterPaths paths, SegmentList.BadList damage) {
    return new LedgerRefusedException(
        "the list of segments at " + paths.segments() + " is damaged: " + damage.getMessage(),
        damage);
  }

  private static LedgerRefusedException away(
      ClusterPaths paths, Exception said, Exception failure) {
    return new LedgerRefusedException(
        "ZooKeeper at " + paths.hosts() + " does not answer as it should: " + said.getMessage(),
        failure,
        Outlook.SOON);
  }
}
