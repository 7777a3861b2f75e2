package org.ecstore.engines.je;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Some threads that do reads. They come in bursts, as a lane hands over what a batch of requests
 * wants, and most take a few microseconds: less than it takes to wake a thread. So one is woken for
 * the first of a burst, and a further one only where many wait for each that works. A read that has
 * to wait for the disk holds up no more than those few.
 */
final class ReadThreads {
  /** Reads that may wait for each thread at work before another one is woken. */
  private static final int WAITING_EACH = 8;

  private final int waitingMax;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Queue<Thread> idle = new ConcurrentLinkedQueue<>();
  private final AtomicInteger working = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * Starts the threads.
   *
   * @param waitingMax reads that may wait; more are refused
   */
  ReadThreads(String name, int count, int waitingMax) {
    this.waitingMax = waitingMax;
    this.working.set(count);
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().name(name + i).daemon().unstarted(this::work));
    }
    threads.forEach(Thread::start);
  }

  /**
   * Has a task done that takes long: the thread that does it does not count as one that others can
   * wait for.
   */
  boolean submitLong(Runnable task) {
    return submit(
        () -> {
          working.decrementAndGet();
          try {
            if (!tasks.isEmpty()) {
              wakeOne();
            }
            task.run();
          } finally {
            working.incrementAndGet();
          }
        });
  }

  private void wakeOne() {
    Thread sleeper = idle.poll();
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Has a task done; false if too many wait, or no more are taken. */
  boolean submit(Runnable task) {
    if (stopping) {
      return false;
    }
    int before = waiting.getAndIncrement();
    if (before >= waitingMax) {
      waiting.decrementAndGet();
      return false;
    }
    tasks.add(task);
    // Whoever goes to sleep says so before it looks for tasks once more.
    if (before >= working.get() * WAITING_EACH) {
      wakeOne();
    }
    return !stopping || !withdraw(task);
  }

  /** Takes back what nobody may be left to do. */
  private boolean withdraw(Runnable task) {
    boolean withdrawn = tasks.remove(task);
    if (withdrawn) {
      waiting.decrementAndGet();
    }
    return withdrawn;
  }

  /** Whether no more are taken. */
  boolean isStopping() {
    return stopping;
  }

  private void work() {
    while (true) {
      Runnable task = tasks.poll();
      if (task != null) {
        waiting.decrementAndGet();
        run(task);
      } else if (stopping) {
        return;
      } else {
        sleep();
      }
    }
  }

  /** An error has been told to whoever waits for the task; the thread goes on with others. */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Error e) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, e);
    }
  }

  private void sleep() {
    Thread self = Thread.currentThread();
    working.decrementAndGet();
    idle.add(self);
    while (tasks.isEmpty() && !stopping && idle.contains(self)) {
      LockSupport.park(this);
    }
    idle.remove(self);
    working.incrementAndGet();
  }

  /** Takes no more, and returns when all that was taken is done. */
  void stop() {
    stopping = true;
    threads.forEach(LockSupport::unpark);
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join(TimeUnit.MINUTES.toMillis(1));
        } catch (InterruptedException e) {
          interrupted = true; // The store must not close beneath a read, nor a read be interrupted.
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
