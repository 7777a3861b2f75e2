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
 * @param nextToLead whether its members come right behind the one that leads when they join, and
 *     not behind all: those of a process that hosts no ZooKeeper server, so that one fault does not
 *     take the leader of both (decision 0055)
 */
public record ZooKeeperSettings(
    Duration session,
    Duration connectWithin,
    Duration callWithin,
    int valueBytesMax,
    boolean nextToLead) {
  private static final ZooKeeperSettings DEFAULTS =
      new ZooKeeperSettings(
          Duration.ofSeconds(2), Duration.ofSeconds(15), Duration.ofSeconds(5), 1_000_000, false);

  public ZooKeeperSettings {
    if (!session.isPositive() || !connectWithin.isPositive() || !callWithin.isPositive()) {
      throw new IllegalArgumentException("a time for ZooKeeper is not above zero");
    }
    if (valueBytesMax <= 0) {
      throw new IllegalArgumentException("valueBytesMax is " + valueBytesMax);
    }
  }

  /**
   * Sessions of 2 s, 15 s for connecting, 5 s for a call, values of a million bytes; who joins
   * comes last.
   */
  public static ZooKeeperSettings defaults() {
    return DEFAULTS;
  }

  public ZooKeeperSettings withSession(Duration value) {
    return new ZooKeeperSettings(value, connectWithin, callWithin, valueBytesMax, nextToLead);
  }

  public ZooKeeperSettings withConnectWithin(Duration value) {
    return new ZooKeeperSettings(session, value, callWithin, valueBytesMax, nextToLead);
  }

  public ZooKeeperSettings withCallWithin(Duration value) {
    return new ZooKeeperSettings(session, connectWithin, value, valueBytesMax, nextToLead);
  }

  public ZooKeeperSettings withValueBytesMax(int value) {
    return new ZooKeeperSettings(session, connectWithin, callWithin, value, nextToLead);
  }

  public ZooKeeperSettings withNextToLead(boolean value) {
    return new ZooKeeperSettings(session, connectWithin, callWithin, valueBytesMax, value);
  }
}
