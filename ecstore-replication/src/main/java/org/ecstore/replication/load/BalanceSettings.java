package org.ecstore.replication.load;

/**
 * When a copy gets slaves, how many, and when it loses them (rules 25, 26).
 *
 * @param unitLoad c, in reads per second: below it no copy is ever too hot
 * @param thresholdFactor lambda, above 1
 * @param bucketsPerRound m, how many buckets get slaves in one round at most
 * @param slavesPerRound the replication speed: how many slaves one round creates at most, shared
 *     out in proportion to the buckets' reads
 * @param slavesMax the budget of a copy
 * @param smallShare a bucket of a greater part of the copy's range is not replicated: it says too
 *     little of where the reads are, and costs too much
 * @param lightest how many of the lightest nodes to choose among
 * @param tolerance a node is overloaded from this part above the mean on, and lighter than another
 *     from this part below it on
 * @param idleRate slaves of a bucket read less often per second are of no use
 * @param patienceNanos slaves of no use for so long are dropped
 */
public record BalanceSettings(
    double unitLoad,
    double thresholdFactor,
    int bucketsPerRound,
    int slavesPerRound,
    int slavesMax,
    double smallShare,
    int lightest,
    double tolerance,
    double idleRate,
    long patienceNanos) {
  /** What is used where nothing else is said; the threshold factor is the paper's (§6.1). */
  public static final BalanceSettings DEFAULT =
      new BalanceSettings(100, 2, 4, 8, 64, 0.02, 3, 0.2, 0.1, 60_000_000_000L);

  public BalanceSettings {
    if (bucketsPerRound < 1 || slavesPerRound < 1 || slavesMax < 0 || lightest < 1) {
      throw new IllegalArgumentException(
          "no balancing with %d buckets and %d slaves per round, at most %d slaves, on the %d lightest nodes"
              .formatted(bucketsPerRound, slavesPerRound, slavesMax, lightest));
    }
    if (!(smallShare > 0) || tolerance < 0 || idleRate < 0 || patienceNanos < 0) {
      throw new IllegalArgumentException(
          "no balancing with small share %s, tolerance %s, idle rate %s and patience %d"
              .formatted(smallShare, tolerance, idleRate, patienceNanos));
    }
  }

  /** With another c. */
  public BalanceSettings withUnitLoad(double load) {
    return new BalanceSettings(
        load,
        thresholdFactor,
        bucketsPerRound,
        slavesPerRound,
        slavesMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        patienceNanos);
  }

  /** With another lambda. */
  public BalanceSettings withThresholdFactor(double factor) {
    return new BalanceSettings(
        unitLoad,
        factor,
        bucketsPerRound,
        slavesPerRound,
        slavesMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        patienceNanos);
  }

  /** With another m and another replication speed. */
  public BalanceSettings withSpeed(int buckets, int slaves) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        buckets,
        slaves,
        slavesMax,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        patienceNanos);
  }

  /** With another budget. */
  public BalanceSettings withSlavesMax(int most) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        slavesPerRound,
        most,
        smallShare,
        lightest,
        tolerance,
        idleRate,
        patienceNanos);
  }

  /** With another limit of what is small. */
  public BalanceSettings withSmallShare(double share) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        slavesPerRound,
        slavesMax,
        share,
        lightest,
        tolerance,
        idleRate,
        patienceNanos);
  }

  /** With another rate and time of no use. */
  public BalanceSettings withPatience(double rate, long nanos) {
    return new BalanceSettings(
        unitLoad,
        thresholdFactor,
        bucketsPerRound,
        slavesPerRound,
        slavesMax,
        smallShare,
        lightest,
        tolerance,
        rate,
        nanos);
  }
}
