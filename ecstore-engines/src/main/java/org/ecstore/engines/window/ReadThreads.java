package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.port.Event;

/**
 * Some threads that do reads. They come in bursts, as an event loop hands over what a batch of
 * requests wants, and most take a few microseconds: less than it takes to wake a thread. So one is
 * woken for the first of a burst, and a further one only where many wait for each that works; and
 * results are handed over together once no read waits, or some have gathered. A read that has to
 * wait for the disk holds up no more than those few. One that has waited for a thread too long is
 * refused: refusing is quick, so that those behind it are done while their callers still wait.
 */
public final class ReadThreads {
  /** Reads that may wait for each thread at work before another one is woken. */
  private static final int WAITING_EACH = 8;

  private static final int GATHERED_MAX = 8;

  private final int waitingMax;
  private final long waitNanosMax;
  private final Consumer<Event> sink;
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Queue<Thread> idle = new ConcurrentLinkedQueue<>();
  private final AtomicInteger working = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * A read.
   *
   * @param isLong whether it takes so long that no other should wait for it
   * @param submittedNanos when it was asked for, by {@link System#nanoTime}
   * @param refusal what is told in place of its result if it has waited too long
   */
  public record Read(
      boolean isLong, long submittedNanos, Supplier<Event> work, Supplier<Event> refusal) {}

  /**
   * Starts the threads.
   *
   * @param waitingMax reads that may wait; more are refused
   * @param waitNanosMax for how long a read may wait
   * @param sink gets the results, on these threads
   */
  public ReadThreads(
      String name, int count, int waitingMax, long waitNanosMax, Consumer<Event> sink) {
    this.waitingMax = waitingMax;
    this.waitNanosMax = waitNanosMax;
    this.sink = sink;
    this.working.set(count);
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().name(name + i).daemon().unstarted(this::work));
    }
    threads.forEach(Thread::start);
  }

  /** Has a read done; false if too many wait, or no more are taken. */
  public boolean submit(Read read) {
    if (stopping) {
      return false;
    }
    int before = waiting.getAndIncrement();
    if (before >= waitingMax) {
      waiting.decrementAndGet();
      return false;
    }
    reads.add(read);
    // A thread that goes to sleep says so before it looks for reads once more.
    if (before >= working.get() * WAITING_EACH) {
      wakeOne();
    }
    return !stopping || !withdraw(read);
  }

  private void wakeOne() {
    Thread sleeper = idle.poll();
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Takes back a read that no thread may be left to do. */
  private boolean withdraw(Read read) {
    boolean withdrawn = reads.remove(read);
    if (withdrawn) {
      waiting.decrementAndGet();
    }
    return withdrawn;
  }

  /** Whether no more are taken. */
  public boolean isStopping() {
    return stopping;
  }

  private void work() {
    List<Event> gathered = new ArrayList<>(GATHERED_MAX);
    while (true) {
      Read read = reads.poll();
      if (read == null || read.isLong() || gathered.size() >= GATHERED_MAX) {
        gathered.forEach(sink);
        gathered.clear();
      }
      if (read != null) {
        waiting.decrementAndGet();
        run(read, gathered);
      } else if (!stopping) {
        sleep();
      } else if (reads.isEmpty()) {
        return; // What was taken while results were handed over is done first.
      }
    }
  }

  /** An error has been told to the caller of the read; the thread goes on with others. */
  private void run(Read read, List<Event> gathered) {
    try {
      if (System.nanoTime() - read.submittedNanos() > waitNanosMax) {
        gathered.add(read.refusal().get());
      } else if (read.isLong()) {
        runLong(read);
      } else {
        gathered.add(read.work().get());
      }
    } catch (Error e) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, e);
    }
  }

  /** Meanwhile this thread is none that others can wait for. */
  private void runLong(Read read) {
    working.decrementAndGet();
    try {
      if (!reads.isEmpty()) {
        wakeOne();
      }
      sink.accept(read.work().get());
    } finally {
      working.incrementAndGet();
    }
  }

  private void sleep() {
    Thread self = Thread.currentThread();
    working.decrementAndGet();
    idle.add(self);
    while (reads.isEmpty() && !stopping && idle.contains(self)) {
      LockSupport.park(this);
    }
    idle.remove(self);
    working.incrementAndGet();
  }

  /** Takes no more, and returns when all that was taken is done. */
  public void stop() {
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
