package org.ecstore.cluster.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jline.utils.Signals;

/**
 * What the operator wants of a process. SIGTERM asks for a safe departure; SIGINT, or a second
 * SIGTERM, for the end at once. Safe for use by several threads.
 */
public final class StopSignals {
  /** How to end. Each is more urgent than the ones before. */
  public enum Stop {
    /** Not at all. */
    NONE,
    /** Hand over first. */
    DEPART,
    /** Hand over nothing, only close what is open. */
    AT_ONCE
  }

  private static final Duration END_WITHIN = Duration.ofSeconds(8);
  private static final int HALTED = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private Stop wanted = Stop.NONE;

  /** Listens to the process's signals from now on; the virtual machine does not any more. */
  public void listen() {
    for (String signal : List.of("TERM", "HUP")) {
      Signals.register(signal, this::term);
    }
    Signals.register("INT", this::interrupt);
    watch();
  }

  /** As SIGTERM does. */
  public void term() {
    raise(wanted() == Stop.NONE ? Stop.DEPART : Stop.AT_ONCE);
  }

  /** As SIGINT does. */
  public void interrupt() {
    raise(Stop.AT_ONCE);
  }

  /** Ends the process hard if it has not ended by itself so long after that was wanted. */
  private void watch() {
    Thread.ofPlatform()
        .daemon()
        .name("ecstore-watchdog")
        .start(
            () -> {
              try {
                await(Stop.AT_ONCE, Long.MAX_VALUE / 1_000_000);
                Thread.sleep(END_WITHIN);
                System.err.println("the node does not end by itself: it is ended now");
                Runtime.getRuntime().halt(HALTED);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void raise(Stop to) {
    lock.lock();
    try {
      if (to.compareTo(wanted) > 0) {
        wanted = to;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is wanted by now. */
  public Stop wanted() {
    lock.lock();
    try {
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until at least so much is wanted, or time is over; returns what is wanted then. */
  public Stop await(Stop least, long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (wanted.compareTo(least) < 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }
}
