package org.ecstore.server.loop;

import java.util.function.LongSupplier;

/**
 * Holds a process to a part of its machine's processors by what it takes from clients. Processor
 * time is credited as time goes by, and what the process has used is taken from it; while the
 * balance is below zero no request is taken.
 *
 * <p>Over a span T the process uses {@code processors * T + BURST_NANOS * processors} at most, and
 * what the requests that were taken last still cost; as long as that is less than a burst, and its
 * other work, which never waits, takes less than the quota. If that alone takes more, as while code
 * is compiled after a start, requests would never be taken. So after {@link #HOLD_NANOS_MAX} they
 * go on all the same: the debt is forgotten, they get a burst, and that is counted. A fifth of the
 * quota is theirs in any case.
 *
 * <p>Rejected: refusing requests instead of holding them back, as clients would ask again at once,
 * which costs more than the answer; putting the event loop to sleep, as leases and votes would be
 * late; a fixed number of requests per second, as requests differ in what they cost.
 *
 * <p>Belongs to the event loop's thread.
 */
public final class ProcessorQuota implements RequestGate {
  /** What was not used is kept for so long; a quiet second is no licence for a full one. */
  public static final long BURST_NANOS = 50_000_000L;

  /** Requests are held back for no longer at a time. */
  public static final long HOLD_NANOS_MAX = 5 * BURST_NANOS;

  /** Looking costs too. */
  private static final long LOOK_NANOS = 1_000_000L;

  /** What there is to say of it, for counters. Called on the event loop. */
  public interface Told {
    /** Tells none of it. */
    Told NOTHING =
        new Told() {
          @Override
          public void held() {}

          @Override
          public void overdrawn() {}
        };

    /** Requests begin to wait. */
    void held();

    /** They waited as long as they may, and go on though the quota is not kept. */
    void overdrawn();
  }

  private final double processors;
  private final LongSupplier usedNanos;
  private final Told told;

  /** Processor nanoseconds that may be used; never above what is kept. */
  private double balance;

  private long lookedAt;
  private long usedThen;
  private boolean begun;
  private boolean held;
  private long heldSince;

  /**
   * A quota that begins with its first question.
   *
   * @param processors that may be busy on average, above 0
   * @param usedNanos processor time of the process so far
   */
  public ProcessorQuota(double processors, LongSupplier usedNanos, Told told) {
    if (!(processors > 0)) {
      throw new IllegalArgumentException("a quota of " + processors + " processors");
    }
    this.processors = processors;
    this.usedNanos = usedNanos;
    this.told = told;
  }

  @Override
  public long waitNanos(long now) {
    look(now);
    if (balance >= 0) {
      held = false;
      return 0;
    }
    if (!held) {
      held = true;
      heldSince = now;
      told.held();
    }
    long left = heldSince + HOLD_NANOS_MAX - now;
    return left <= 0 ? 0 : Math.clamp((long) Math.ceil(-balance / processors), 1, left);
  }

  @Override
  public void taken() {
    if (held) {
      held = false;
      balance = processors * BURST_NANOS;
      told.overdrawn();
    }
  }

  private void look(long now) {
    if (!begun) {
      begun = true;
      lookedAt = now;
      usedThen = usedNanos.getAsLong();
      return;
    }
    long elapsed = now - lookedAt;
    if (elapsed < LOOK_NANOS) {
      return;
    }
    long used = usedNanos.getAsLong();
    double credited = balance + processors * elapsed - (used - usedThen);
    balance = Math.min(processors * BURST_NANOS, credited);
    lookedAt = now;
    usedThen = used;
  }
}
