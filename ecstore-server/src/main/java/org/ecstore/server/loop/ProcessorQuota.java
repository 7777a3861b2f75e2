package org.ecstore.server.loop;

import java.util.function.LongSupplier;

/**
 * Holds a process to a part of its machine's processors by what it takes from clients. Processor
 * time is credited as time goes by, and what the process has used is taken from it; while the
 * balance is below zero no request is taken.
 *
 * <p>Over a span T the process uses {@code processors * T + BURST_NANOS * processors} at most, and
 * what the requests that were taken last still cost; as long as each costs less than half of a
 * grant, and other work, which never waits, leaves something of the quota.
 *
 * <p>Other work may take more for a while, as where code is compiled after a start or a copy is
 * sent. On a small machine it would share the processor with requests, and so it does here: no
 * request waits longer than a hold; then they get what half of that brings, wait again, and so on
 * until what was used is paid. So about half of the quota is theirs in any case (decision 0128).
 * What is owed beyond {@link #DEBT_NANOS_MAX} is forgotten, and that is counted.
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

  /** Requests are held back for no longer at a time, unless the quota is small. */
  public static final long HOLD_NANOS_MIN = BURST_NANOS;

  /** Requests are held back for no longer at a time, however small the quota is. */
  public static final long HOLD_NANOS_MAX = 5 * BURST_NANOS;

  /** No more is owed than what so long brings. */
  public static final long DEBT_NANOS_MAX = 5 * BURST_NANOS;

  /** Looking costs too. */
  private static final long LOOK_NANOS = 1_000_000L;

  /** A hold brings what so many looks may miss. */
  private static final int HOLD_LOOKS = 5;

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

    /** They go on though the quota is not kept: more is owed than is ever paid. */
    void overdrawn();
  }

  private final double processors;
  private final long holdNanos;
  private final LongSupplier usedNanos;
  private final Told told;

  /** Processor nanoseconds that may be used; never above what is kept, nor below what is owed. */
  private double balance;

  /** Requests go on while the process has used less than this, whatever is owed. */
  private double grantedUntil;

  private boolean hasForgotten;

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
    this.holdNanos =
        (long) Math.clamp(HOLD_LOOKS * LOOK_NANOS / processors, HOLD_NANOS_MIN, HOLD_NANOS_MAX);
    this.usedNanos = usedNanos;
    this.told = told;
  }

  /** For how long requests are held back at a time at most. */
  long holdNanos() {
    return holdNanos;
  }

  @Override
  public long waitNanos(long now) {
    look(now);
    if (balance >= 0 || usedThen < grantedUntil) {
      held = false;
      return 0;
    }
    if (!held) {
      held = true;
      heldSince = now;
      told.held();
    }
    long left = heldSince + holdNanos - now;
    return left <= 0 ? 0 : Math.clamp((long) Math.ceil(-balance / processors), 1, left);
  }

  @Override
  public void taken() {
    if (!held) {
      return;
    }
    held = false;
    grantedUntil = usedThen + processors * holdNanos / 2;
    if (hasForgotten) {
      hasForgotten = false;
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
    double owedMost = -processors * DEBT_NANOS_MAX;
    hasForgotten |= credited < owedMost;
    balance = Math.clamp(credited, owedMost, processors * BURST_NANOS);
    lookedAt = now;
    usedThen = used;
  }
}
