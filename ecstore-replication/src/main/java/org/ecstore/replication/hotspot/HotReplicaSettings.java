package org.ecstore.replication.hotspot;

import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.HistogramSettings;

/**
 * Bounds of hot-spot replicas, and when there are any.
 *
 * @param heldMax hot-spot replicas that a node holds for others; with 0 it neither holds nor makes
 *     any
 * @param heldBytesMax keys, values and what goes with them that they take together
 * @param keptBytesMax writes that a copy keeps for a hot-spot replica that has not acknowledged
 *     them; who lags further behind is dropped
 * @param silenceNanos after which one end takes the other for gone
 * @param periodNanos how often loads are told and hot-spot replicas thought of
 * @param lookFrom with what part of the load that makes it busy a copy is looked at closely, with a
 *     histogram; with 0 each that is read is
 */
public record HotReplicaSettings(
    int heldMax,
    long heldBytesMax,
    long keptBytesMax,
    long silenceNanos,
    long periodNanos,
    double lookFrom,
    HistogramSettings histogram,
    BalanceSettings balance) {
  /** A threshold that nodes are told is no less than such a part of the one that they have. */
  public static final int LOWERED_MAX = 100;

  private static final long SECOND = 1_000_000_000L;

  /** What is used where nothing else is said. */
  public static final HotReplicaSettings DEFAULT =
      new HotReplicaSettings(
          1_000,
          64L << 20,
          4L << 20,
          5 * SECOND,
          SECOND,
          0.25,
          HistogramSettings.DEFAULT,
          BalanceSettings.DEFAULT.withUnitLoad(1_000));

  /** No hot-spot replicas. */
  public static final HotReplicaSettings NONE =
      new HotReplicaSettings(
          0, 0, 0, SECOND, SECOND, 0, HistogramSettings.DEFAULT, BalanceSettings.DEFAULT);

  /**
   * With room for so much, for copies that serve so many reads per second, and the usual factor.
   */
  public static HotReplicaSettings of(long heldBytes, double reads) {
    return of(heldBytes, reads, DEFAULT.balance.thresholdFactor());
  }

  /**
   * With room for so much, and for copies that serve so many reads per second.
   *
   * @param heldBytes with 0 there are none
   * @param factor lambda, by which the load grows until there are more hot-spot replicas (rule 25)
   */
  public static HotReplicaSettings of(long heldBytes, double reads, double factor) {
    return heldBytes == 0
        ? NONE
        : new HotReplicaSettings(
            DEFAULT.heldMax,
            heldBytes,
            DEFAULT.keptBytesMax,
            DEFAULT.silenceNanos,
            DEFAULT.periodNanos,
            DEFAULT.lookFrom,
            DEFAULT.histogram,
            DEFAULT.balance.withUnitLoad(reads).withThresholdFactor(factor));
  }

  /**
   * From how many reads per second on a copy is busy, where the node that leads has lowered that
   * (decision 0090): not above what was configured, nor far below it.
   *
   * @param told reads per second of a copy; 0 if it is as configured
   */
  double threshold(long told) {
    double configured = balance.unitLoad();
    return told == 0 ? configured : Math.clamp((double) told, configured / LOWERED_MAX, configured);
  }

  long halfLifeNanos() {
    return histogram.halfLifeNanos();
  }

  /** Whether there are hot-spot replicas at all. */
  public boolean enabled() {
    return heldMax > 0;
  }
}
