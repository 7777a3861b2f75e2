package org.ecstore.sim.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** What all parts of one simulated cluster share: time, chance, the trace and what went wrong. */
public final class World {
  private static final long HEALED_DELAY_NANOS = 10_000_000L;

  private final long seed;
  private final Scheduler scheduler = new Scheduler();
  private final SimRandom random;
  private final Trace trace;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, Integer> happened = new TreeMap<>();
  private boolean faulty = true;
  private long healedNanos = Long.MAX_VALUE;

  public World(long seed, Trace trace) {
    this.seed = seed;
    this.random = new SimRandom(seed);
    this.trace = trace;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  /** A generator for one part of the world. */
  public SimRandom random(String part) {
    return random.fork(part);
  }

  public Trace trace() {
    return trace;
  }

  public long nowNanos() {
    return scheduler.nowNanos();
  }

  /** Whether faults are still being injected: false in the liveness phase. */
  public boolean faulty() {
    return faulty;
  }

  /** The longest a delay may be at present: once all is healed, nothing is slow any more. */
  public long atMost(long faultyNanos) {
    return faulty ? faultyNanos : Math.min(faultyNanos, HEALED_DELAY_NANOS);
  }

  /** From now on nothing more fails. */
  public void heal() {
    faulty = false;
    healedNanos = nowNanos();
  }

  /** When all was healed; far in the future before that. */
  public long healedNanos() {
    return healedNanos;
  }

  /** Notes a violation. The run ends after the present task. */
  public void violated(String rule, String detail) {
    violations.add(new Violation(seed, scheduler.nowNanos(), rule, detail));
  }

  public List<Violation> violations() {
    return violations;
  }

  /** Runs until a time or a condition; false once something is violated. */
  public boolean runUntil(long timeNanos, BooleanSupplier enough) {
    while (violations.isEmpty() && !enough.getAsBoolean()) {
      if (!scheduler.step(timeNanos)) {
        break;
      }
    }
    return violations.isEmpty();
  }

  /** Runs for some time, unless something is violated. */
  public boolean runFor(long nanos) {
    return runUntil(nowNanos() + nanos, () -> false);
  }

  /** Counts something that is wanted to come about in some seeds. */
  public void happened(String what) {
    happened.merge(what, 1, Integer::sum);
  }

  /** What came about how often. */
  public Map<String, Integer> happened() {
    return happened;
  }

  /** Prints a line of the trace with its time. */
  public void line(String who, String text) {
    trace.line(() -> String.format("%12.6f %s %s", scheduler.nowNanos() / 1e9, who, text));
  }

  public boolean verbose() {
    return trace.prints();
  }
}
