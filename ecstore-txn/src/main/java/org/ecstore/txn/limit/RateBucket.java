package org.ecstore.txn.limit;

/** Holds a burst and fills at a steady rate. For one thread. */
public final class RateBucket {
  /** So many at once after a while without, and so many a second. */
  public record Rate(int burst, long perSecond) {
    private long nanosEach() {
      return 1_000_000_000L / perSecond;
    }
  }

  private final Rate rate;

  /** When the bucket will be full, as if time had been saved up to then. */
  private long fullAtNanos;

  private boolean used;

  /** A full one. */
  public RateBucket(Rate rate) {
    this.rate = rate;
  }

  public Rate rate() {
    return rate;
  }

  /** Takes one if there is one; whether there was. */
  public boolean admits(long nowNanos) {
    boolean admitted = hasRoom(nowNanos);
    if (admitted) {
      take(nowNanos);
    }
    return admitted;
  }

  public boolean hasRoom(long nowNanos) {
    return unsavedNanos(nowNanos) <= (rate.burst() - 1) * rate.nanosEach();
  }

  /** How long until there is one. */
  public long waitNanos(long nowNanos) {
    return Math.max(0, unsavedNanos(nowNanos) - (rate.burst() - 1) * rate.nanosEach());
  }

  /** Takes one, if there is one. */
  public void take(long nowNanos) {
    long most = rate.burst() * rate.nanosEach();
    fullAtNanos = nowNanos + Math.min(unsavedNanos(nowNanos) + rate.nanosEach(), most);
    used = true;
  }

  /** How many were taken and have not come back. */
  public long taken(long nowNanos) {
    return Math.ceilDiv(unsavedNanos(nowNanos), rate.nanosEach());
  }

  /** By a clock that has gone back it lacks all that it holds, and no more. */
  private long unsavedNanos(long nowNanos) {
    long most = rate.burst() * rate.nanosEach();
    if (used && fullAtNanos - nowNanos > most) {
      fullAtNanos = nowNanos + most;
    }
    return used ? Math.max(0, fullAtNanos - nowNanos) : 0;
  }
}
