package org.ecstore.cluster.zookeeper.server;

import java.io.File;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.persistence.FilePadding;
import org.apache.zookeeper.util.ServiceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a ZooKeeper server in this process is set up, where its own defaults are meant for a process
 * and a machine of its own. What someone has set as a system property stands.
 */
final class ServerDefaults {
  private static final Logger LOG = LoggerFactory.getLogger(ServerDefaults.class);

  /**
   * The unit of time of a server, in milliseconds. A session lasts at least two of them and is
   * found dead at most one later.
   */
  static final int TICK_MILLIS = 200;

  static final int SESSION_MILLIS_MIN = 2 * TICK_MILLIS;
  static final int SESSION_MILLIS_MAX = 60_000;

  /** How long a member may take to fetch the leader's state: 20 s. */
  static final int INIT_TICKS = 100;

  /**
   * How long leader and follower go on without a word of each other: 1 s. So long a leader that is
   * frozen keeps the others from choosing another.
   */
  static final int SYNC_TICKS = 5;

  /** What a request may announce to be long, for which the library takes memory at once. */
  private static final int REQUEST_BYTES_MAX = 1 << 20;

  private static final int HEAP_SHARE = 6;
  private static final int CONNECTIONS_MIN = 64;
  private static final int CONNECTIONS_MAX = 1_000;

  /** Within it a connection has a session, or goes. */
  private static final int SESSION_WITHIN_MILLIS = 3_000;

  private static final int SNAPSHOTS_KEPT = 3;
  private static final int PURGE_HOURS = 1;
  private static final long PADDING_BYTES = 4L << 20;

  private ServerDefaults() {}

  /**
   * How many connections a server takes: as many as can each announce the longest request without
   * taking more than a sixth of the heap. A node of a cluster has three, and on one machine all
   * come from one address.
   */
  static int connectionsMax(long heapBytes) {
    return Math.clamp(heapBytes / HEAP_SHARE / REQUEST_BYTES_MAX, CONNECTIONS_MIN, CONNECTIONS_MAX);
  }

  static int connectionsMax() {
    return connectionsMax(Runtime.getRuntime().maxMemory());
  }

  /** Sets what can be set for all servers of a process only. Doing it again changes nothing. */
  static void apply() {
    setUnlessSet("zookeeper.admin.enableServer", "false");
    setUnlessSet("zookeeper.jmx.log4j.disable", "true");
    setUnlessSet("zookeeper.maxCnxns", Integer.toString(connectionsMax()));
    setUnlessSet("zookeeper.nio.sessionlessCnxnTimeout", Integer.toString(SESSION_WITHIN_MILLIS));
    // A snapshot, and a new log file, after so many changes or so much of log: a value may have a
    // megabyte, and what the newest snapshots hold is all that is kept.
    setUnlessSet("zookeeper.snapCount", "20000");
    setUnlessSet("zookeeper.snapSizeLimitInKb", "65536");
    if (System.getProperty("zookeeper.preAllocSize") == null) {
      FilePadding.setPreallocSize(PADDING_BYTES);
    }
    ServiceUtils.setSystemExitProcedure(
        code ->
            LOG.error(
                "the ZooKeeper server of this process has failed (exit code {}): see the log,"
                    + " then restart the process",
                code));
  }

  /**
   * Whether a server that is started next has a vote if it has no data: a new one has. The library
   * looks at it once, when the server starts.
   */
  static void votesWithoutData(boolean votes) {
    System.setProperty("zookeeper.db.autocreate", Boolean.toString(votes));
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Deletes old snapshots and what of the log they made superfluous, at once and every hour. */
  static DatadirCleanupManager purge(File directory) {
    return new DatadirCleanupManager(directory, directory, SNAPSHOTS_KEPT, PURGE_HOURS);
  }
}
