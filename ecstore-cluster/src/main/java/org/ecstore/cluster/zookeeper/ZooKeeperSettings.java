package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;

/**
 * How a process uses ZooKeeper.
 *
 * @param session how long a member that is not heard of stays one; servers have a minimum, 0.4 s
 *     for an {@link EmbeddedZooKeeper} and often 4 s for others
 * @param connectWithin how long a start waits for ZooKeeper
 * @param callWithin how long a call waits for its answer before that is Unknown
 * @param valueBytesMax the longest value; ZooKeeper takes a little more than a million bytes unless
 *     its servers are told otherwise ({@code jute.maxbuffer})
 */
public record ZooKeeperSettings(
    Duration session, Duration connectWithin, Duration callWithin, int valueBytesMax) {
  private static final ZooKeeperSettings DEFAULTS =
      new ZooKeeperSettings(
          Duration.ofSeconds(2), Duration.ofSeconds(15), Duration.ofSeconds(5), 1_000_000);

  public ZooKeeperSettings {
    if (!session.isPositive() || !connectWithin.isPositive() || !callWithin.isPositive()) {
      throw new IllegalArgumentException("a time for ZooKeeper is not above zero");
    }
    if (valueBytesMax <= 0) {
      throw new IllegalArgumentException("valueBytesMax is " + valueBytesMax);
    }
  }

  /** Sessions of 2 s, 15 s for connecting, 5 s for a call, values of a million bytes. */
  public static ZooKeeperSettings defaults() {
    return DEFAULTS;
  }

  public ZooKeeperSettings withSession(Duration value) {
    return new ZooKeeperSettings(value, connectWithin, callWithin, valueBytesMax);
  }

  public ZooKeeperSettings withConnectWithin(Duration value) {
    return new ZooKeeperSettings(session, value, callWithin, valueBytesMax);
  }

  public ZooKeeperSettings withCallWithin(Duration value) {
    return new ZooKeeperSettings(session, connectWithin, value, valueBytesMax);
  }

  public ZooKeeperSettings withValueBytesMax(int value) {
    return new ZooKeeperSettings(session, connectWithin, callWithin, value);
  }
}
