package org.ecstore.replication.load;

/**
 * Counts of reads and updates that fade: each access weighs half as much after the half-life. A
 * count that does not fade makes the trigger ever rarer (rule 24).
 */
public final class DecayedRates {
  private static final double LN_2 = 0.6931471805599453;
  private static final double NANOS_PER_SECOND = 1e9;

  private final long halfLifeNanos;
  private double reads;
  private double updates;
  private long atNanos;

  /** Nothing seen so far. */
  public DecayedRates(long halfLifeNanos, long nowNanos) {
    this.halfLifeNanos = halfLifeNanos;
    this.atNanos = nowNanos;
  }

  /** Counts a read, or a part of one. */
  public void read(double weight, long nowNanos) {
    fade(nowNanos);
    reads += weight;
  }

  /** Counts an update. */
  public void update(long nowNanos) {
    fade(nowNanos);
    updates++;
  }

  /** The rates: what steady accesses would have to be to leave such counts. */
  public Rates rates(long nowNanos) {
    fade(nowNanos);
    double perSecond = LN_2 * NANOS_PER_SECOND / halfLifeNanos;
    return new Rates(reads * perSecond, updates * perSecond);
  }

  /** Takes over a part of another one's counts. */
  void add(DecayedRates other, double part, long nowNanos) {
    fade(nowNanos);
    other.fade(nowNanos);
    reads += other.reads * part;
    updates += other.updates * part;
  }

  private void fade(long nowNanos) {
    if (nowNanos > atNanos) {
      double left = StrictMath.exp(-LN_2 * (nowNanos - atNanos) / halfLifeNanos);
      reads *= left;
      updates *= left;
      atNanos = nowNanos;
    }
  }
}
