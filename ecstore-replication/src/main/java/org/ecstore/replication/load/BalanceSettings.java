package org.ecstore.replication.load;

/**
 * When a copy gets hot-spot replicas, how many, and when it loses them (rules 25, 26).
 *
 * @param unitLoad c, in reads per second: below it no copy is ever too hot
 * @param thresholdFactor lambda, above 1
 * @param bucketsPerRound m, how many buckets get hot-spot replicas in one round at most
 * @param hotReplicasPerRound the replication speed: how many hot-spot replicas one round creates at
 *     most, shared out in proportion to the buckets' reads
 * @param hotReplicasMax the budget of a copy
 * @param smallShare a bucket of a greater part of the copy's range is not replicated: it says too
 *     little of where the reads are, and costs too much
 * @param lightest how many of the lightest nodes to choose among
 * @param tolerance a node is overloaded from this part above the mean on, and lighter than another
 *     from this part below it on
 * @param idleRate hot-spot replicas of a bucket read less often per second are of no use
 * @param idleNanos hot-spot replicas of no use for so long are dropped
 */
public record BalanceSettings(
    double unitLoad,
    double thresholdFactor,
    int bucketsPerRound,
    int hotReplicasPerRound,
    int hotReplicasMax,
    double smallShare,
    int lightest,
    double tolerance,
    double idleRate,
    long idleNanos) {
  /** What is used where nothing else is said; the threshold factor is the paper's (§6.1). */
  public static final BalanceSettings DEFAULT =
      new BalanceSettings(100, 2, 4, 8, 64, 0.02, 3, 0.2, 0.1, 60_000_000_000L);

  public BalanceSettings {
    if (bucketsPerRound < 1 || hotReplicasPerRound < 1 || hotReplicasMax < 0 || lightest < 1) {
      throw new IllegalArgumentException(
          "no balancing with %d buckets and %d hot replicas per round, at most %d, on %d lightest nodes"
              .formatted(bucketsPerRound, hotReplicasPerRound, hotReplicasMax, lightest));
    }
    if (!(smallShare > 0) || tolerance < 0 || idleRate < 0 || idleNanos < 0) {
      throw new IllegalArgumentException(
          "no balancing with small share %s, tolerance %s, idle rate %s and idle time %d"
              .formatted(smallShare, tolerance, idleRate, idleNanos));
    }
  }

  /** With another c. */
  public BalanceSettings withUnitLoad(double load) {
    return new BalanceSettings(
        load,
        thresholdFactor,
        bucketsPerRound,
        hotReplicasPerRound,
        hotReplicasMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        idleNanos);
  }

  /** With another lambda. */
  public BalanceSettings withThresholdFactor(double factor) {
    return new BalanceSettings(
        unitLoad,
        factor,
        bucketsPerRound,
        hotReplicasPerRound,
        hotReplicasMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        idleNanos);
  }

  /** With another m and another replication speed. */
  public BalanceSettings withSpeed(int buckets, int hotReplicas) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        buckets,
        hotReplicas,
        hotReplicasMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        idleNanos);
  }

  /** With another budget. */
  public BalanceSettings withHotReplicasMax(int most) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        hotReplicasPerRound,
        most,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        idleNanos);
  }

  /** With another limit of what is small. */
  public BalanceSettings withSmallShare(double share) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        hotReplicasPerRound,
        hotReplicasMax,
        share,
        lightest,
        tolerance,
        idleRate,
        idleNanos);
  }

  /** With another rate and time of no use. */
  public BalanceSettings withTimeout(double rate, long nanos) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        hotReplicasPerRound,
        hotReplicasMax,
        smallShare,
        lightest,
        tolerance,
        rate,
        nanos);
  }
}
