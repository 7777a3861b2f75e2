package org.ecstore.engines.window;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.port.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The work of a {@link WindowedEngine} on threads: some that read, and one that changes. */
public final class WindowThreads implements WindowTasks {
  private static final Logger log = LoggerFactory.getLogger(WindowThreads.class);
  private static final int PAGE_ROWS = 1_024;
  private static final int FOLD_KEYS = 256;

  /** As many as only a reading of the ledger brings: it may wait for a step of a fold. */
  private static final int WRITES_AT_ONCE = 1_000;

  /**
   * How much may wait.
   *
   * @param readers threads that read
   * @param readsMax reads waiting for a thread; more are refused as too much
   * @param readWaitNanos a read that has waited longer for a thread is refused
   * @param changesMax changes waiting; more fail
   * @param readsAreLong whether no read should wait for another one, be it short: each asks a
   *     server, which may not answer
   */
  public record Bounds(
      int readers, int readsMax, long readWaitNanos, int changesMax, boolean readsAreLong) {
    /** Threads that read where each read waits for a server, and takes none of the machine. */
    private static final int SERVER_READERS = 16;

    /** What a node uses if nothing else is said. */
    public static final Bounds DEFAULT = new Bounds(4, 16_384, 1_000_000_000, 16_384, false);

    /** These, where reads ask a server: some that it does not answer must leave others a thread. */
    public Bounds withServer() {
      return new Bounds(
          Math.max(readers, SERVER_READERS), readsMax, readWaitNanos, changesMax, true);
    }
  }

  private final Bounds bounds;
  private final ReadThreads readers;
  private final ThreadPoolExecutor changer;

  /**
   * Starts the threads, whose names begin with a name.
   *
   * @param sink gets the results of reads, on these threads
   */
  public WindowThreads(String name, Bounds bounds, Consumer<Event> sink) {
    this.bounds = bounds;
    this.readers =
        new ReadThreads(
            name + "-reader-", bounds.readers(), bounds.readsMax(), bounds.readWaitNanos(), sink);
    this.changer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> Thread.ofPlatform().name(name + "-writer").daemon().unstarted(work));
  }

  @Override
  public void deliver(Runnable result) {
    result.run();
  }

  @Override
  public boolean read(boolean isLong, Steps read, Supplier<Event> refusal) {
    return readers.submit(
        new ReadThreads.Read(
            isLong || bounds.readsAreLong(), System.nanoTime(), () -> whole(read), refusal));
  }

  private static Event whole(Steps read) {
    Optional<Event> result = read.step();
    while (result.isEmpty()) {
      result = read.step();
    }
    return result.get();
  }

  @Override
  public void change(Runnable change, Runnable refuse) {
    if (changer.getQueue().size() >= bounds.changesMax()) {
      refuse.run();
      return;
    }
    try {
      changer.execute(guarded(change));
    } catch (RejectedExecutionException e) {
      log.debug("a change comes after the end", e);
      refuse.run();
    }
  }

  /** A bug is said, and what comes after it is done all the same. */
  private static Runnable guarded(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        log.error("a change of the engine failed", e);
      }
    };
  }

  @Override
  public void fold(Runnable step) {
    try {
      changer.execute(guarded(step));
    } catch (RejectedExecutionException e) {
      log.debug("a fold is left undone", e);
    }
  }

  @Override
  public int pageRows() {
    return PAGE_ROWS;
  }

  @Override
  public int writesAtOnce() {
    return WRITES_AT_ONCE;
  }

  @Override
  public int foldKeys() {
    return FOLD_KEYS;
  }

  @Override
  public void close() {
    readers.stop();
    changer.shutdown();
    boolean interrupted = false;
    boolean over = false;
    while (!over) {
      try {
        over = changer.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true; // What was taken is completed first.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
