package org.ecstore.cluster.bookkeeper.segment;

/**
 * Sizes, limits and times of a {@code BookKeeperLedger}.
 *
 * @param ensemble bookies of a segment; while there are fewer, it is made on those there are
 * @param writeQuorum bookies that each entry is sent to
 * @param ackQuorum bookies that have an entry on disk before it is acknowledged; a segment is never
 *     made on fewer
 * @param segmentBytes bytes of entries after which a new segment begins
 * @param segmentMillis age after which a new segment begins, if this one has entries
 * @param outstandingBytesMax bytes of entries that wait for bookies or a new segment; further ones
 *     are rejected
 * @param readsOutstandingMax reads and trims at once; further ones fail
 * @param addMillis that a bookie may take for an entry before it counts as failed
 * @param fenceMillis that a fence may take; the same for a new segment
 * @param readMillis that a read or trim may take
 * @param tailMillis that a read waits for an entry which is on its way to be confirmed
 * @param confirmMillis of idleness after which the writer lets readers know that its last entry is
 *     durable
 * @param graceMillis from the trim of a segment to its deletion, for readers in the middle of it
 * @param orphanMillis between two looks for segments that the list does not name
 * @param sessionMillis that a start and a call wait for ZooKeeper; its sessions last no longer
 */
public record BookKeeperSettings(
    int ensemble,
    int writeQuorum,
    int ackQuorum,
    long segmentBytes,
    long segmentMillis,
    long outstandingBytesMax,
    int readsOutstandingMax,
    int addMillis,
    int fenceMillis,
    int readMillis,
    int tailMillis,
    int confirmMillis,
    long graceMillis,
    long orphanMillis,
    int sessionMillis) {
  /**
   * Three bookies, of which two acknowledge; segments of 64 MiB or a minute: what is read again
   * when a cluster starts anew begins with one.
   */
  public static final BookKeeperSettings DEFAULT =
      new BookKeeperSettings(
          3,
          3,
          2,
          64L << 20,
          60_000,
          256L << 20,
          4096,
          5_000,
          15_000,
          10_000,
          500,
          10,
          60_000,
          600_000,
          6_000);

  /** Two thirds of a session pass before its client leaves a server that is frozen. */
  private static final int SESSION_MILLIS_MAX = 2_000;

  public BookKeeperSettings {
    if (ackQuorum < 1 || writeQuorum < ackQuorum || ensemble < writeQuorum) {
      throw new IllegalArgumentException(
          "not 1 <= acknowledge quorum <= write quorum <= ensemble: %d, %d, %d"
              .formatted(ackQuorum, writeQuorum, ensemble));
    }
    if (2 * ackQuorum <= writeQuorum) {
      throw new IllegalArgumentException(
          "an acknowledge quorum of %d is no majority of a write quorum of %d"
              .formatted(ackQuorum, writeQuorum));
    }
    if (segmentBytes < 1
        || segmentMillis < 1
        || outstandingBytesMax < 1
        || readsOutstandingMax < 1
        || addMillis < 1000
        || fenceMillis < 1
        || readMillis < 1
        || tailMillis < 0
        || confirmMillis < 1
        || graceMillis < 0
        || orphanMillis < 1
        || sessionMillis < 1) {
      throw new IllegalArgumentException("a limit is out of bounds");
    }
  }

  /** The same with other quorums. */
  public BookKeeperSettings withQuorums(int ensembleSize, int writes, int acknowledgements) {
    return new BookKeeperSettings(
        ensembleSize,
        writes,
        acknowledgements,
        segmentBytes,
        segmentMillis,
        outstandingBytesMax,
        readsOutstandingMax,
        addMillis,
        fenceMillis,
        readMillis,
        tailMillis,
        confirmMillis,
        graceMillis,
        orphanMillis,
        sessionMillis);
  }

  /** The same with another limit of what waits. */
  public BookKeeperSettings withOutstandingBytesMax(long bytes) {
    return new BookKeeperSettings(
        ensemble,
        writeQuorum,
        ackQuorum,
        segmentBytes,
        segmentMillis,
        bytes,
        readsOutstandingMax,
        addMillis,
        fenceMillis,
        readMillis,
        tailMillis,
        confirmMillis,
        graceMillis,
        orphanMillis,
        sessionMillis);
  }

  /** The same with another limit of reads and trims at once. */
  public BookKeeperSettings withReadsOutstandingMax(int reads) {
    return new BookKeeperSettings(
        ensemble,
        writeQuorum,
        ackQuorum,
        segmentBytes,
        segmentMillis,
        outstandingBytesMax,
        reads,
        addMillis,
        fenceMillis,
        readMillis,
        tailMillis,
        confirmMillis,
        graceMillis,
        orphanMillis,
        sessionMillis);
  }

  /** The same with segments of another size. */
  public BookKeeperSettings withSegmentBytes(long bytes) {
    return new BookKeeperSettings(
        ensemble,
        writeQuorum,
        ackQuorum,
        bytes,
        segmentMillis,
        outstandingBytesMax,
        readsOutstandingMax,
        addMillis,
        fenceMillis,
        readMillis,
        tailMillis,
        confirmMillis,
        graceMillis,
        orphanMillis,
        sessionMillis);
  }

  /** The same with another grace before trimmed segments are deleted, and between two looks. */
  public BookKeeperSettings withGraceMillis(long grace, long orphan) {
    return new BookKeeperSettings(
        ensemble,
        writeQuorum,
        ackQuorum,
        segmentBytes,
        segmentMillis,
        outstandingBytesMax,
        readsOutstandingMax,
        addMillis,
        fenceMillis,
        readMillis,
        tailMillis,
        confirmMillis,
        grace,
        orphan,
        sessionMillis);
  }

  /** The same with other limits for an entry at one bookie, and for a fence. */
  public BookKeeperSettings withLimits(int add, int fence) {
    return new BookKeeperSettings(
        ensemble,
        writeQuorum,
        ackQuorum,
        segmentBytes,
        segmentMillis,
        outstandingBytesMax,
        readsOutstandingMax,
        add,
        fence,
        readMillis,
        tailMillis,
        confirmMillis,
        graceMillis,
        orphanMillis,
        sessionMillis);
  }

  /** Of the sessions with ZooKeeper, with which nothing ends but a connection. */
  public int zooKeeperSessionMillis() {
    return Math.min(sessionMillis, SESSION_MILLIS_MAX);
  }
}
