package org.ecstore.cluster.bookkeeper.segment;

/** Times that are constants, not settings. */
public final class SegmentTimes {
  /** Between two looks at deadlines and at the age of segments. */
  public static final long TICK_MILLIS = 50;

  /** Between two looks at the bookies there are, by a writer. */
  public static final long BOOKIES_MILLIS = 1_000;

  /** Between two new segments for want of bookies. */
  public static final long REFILL_MILLIS = 3_000;

  private SegmentTimes() {}
}
