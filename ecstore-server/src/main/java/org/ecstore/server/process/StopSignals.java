package org.ecstore.server.process;

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
    /** Say goodbye to nobody but close what is open. */
    AT_ONCE
  }

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
  }

  /** As SIGTERM does. */
  public void term() {
    raise(wanted() == Stop.NONE ? Stop.DEPART : Stop.AT_ONCE);
  }

  /** As SIGINT does. */
  public void interrupt() {
    raise(Stop.AT_ONCE);
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
