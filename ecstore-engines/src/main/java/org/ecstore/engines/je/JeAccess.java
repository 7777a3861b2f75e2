package org.ecstore.engines.je;

import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.LogWriteException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Repeats;
import org.ecstore.engines.EngineOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the store: turns what it throws into {@link EngineResult.Failed}, and opens it anew
 * after a failure that made it unusable (an I/O error, such as a volume that is full). Readers hold
 * a shared lock for the length of a read, so that the store is not closed beneath them; only the
 * writer's thread changes and reopens.
 */
final class JeAccess {
  private static final Logger log = LoggerFactory.getLogger(JeAccess.class);
  private static final long REOPEN_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
  private static final long SPACE_BYTES_MIN = 1 << 20;

  private final Path directory;
  private final JeSettings settings;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile JeStore store;
  private volatile boolean open = true;
  private volatile EngineResult.Failed failure = new EngineResult.Failed(false, "not open");

  /** Transactions reported as applied: a store that knows fewer has lost some. */
  private long reported;

  private long reopenedNanos;
  private volatile boolean full;

  /** Guarded by itself. */
  private final Repeats repeats = new Repeats(System::nanoTime);

  JeAccess(Path directory, JeSettings settings) {
    this.directory = directory;
    this.settings = settings;
    this.store = JeStore.open(directory, settings);
    this.reported = store.transactions();
    this.reopenedNanos = System.nanoTime() - REOPEN_NANOS_MIN;
  }

  /** The store, for tests that break it. */
  JeStore store() {
    return store;
  }

  /** Whether the store works, as far as is known. */
  boolean isValid() {
    return open && store.isValid();
  }

  /** Reads. Any thread. */
  EngineResult read(Function<JeStore, EngineResult> read) {
    lock.readLock().lock();
    try {
      return open ? read.apply(store) : failure;
    } catch (RuntimeException e) {
      return failed("read", e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Changes. The writer's thread only. */
  EngineResult change(Function<JeStore, EngineResult> change) {
    if (!isValid() && !reopen()) {
      return failure;
    }
    try {
      EngineResult result = change.apply(store);
      if (full) {
        full = false;
        log.info("engine in {}: there is room again", directory);
      }
      return result;
    } catch (RuntimeException e) {
      failure = failed("change", e);
      return failure;
    } finally {
      reported = store.transactions();
    }
  }

  /** Opens the store anew if it is unusable, and not more often than is sensible. */
  boolean reopen() {
    if (isValid()) {
      return true;
    }
    long now = System.nanoTime();
    if (now - reopenedNanos < REOPEN_NANOS_MIN) {
      return false;
    }
    lock.writeLock().lock();
    try {
      reopenedNanos = now;
      if (open) {
        open = false;
        close(store);
      }
      JeStore reopened = JeStore.open(directory, settings);
      if (reopened.transactions() < reported) {
        close(reopened);
        failure = lost(reopened.transactions());
        log.error(failure.detail());
        reopenedNanos = Long.MAX_VALUE >> 1; // Only a restart of the node helps.
        return false;
      }
      store = reopened;
      open = true;
      log.info("engine in {}: opened anew after a failure", directory);
      return true;
    } catch (EngineOpenException e) {
      failure = failed("open", e);
      return false;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private EngineResult.Failed lost(long transactions) {
    return new EngineResult.Failed(
        false,
        "engine in "
            + directory
            + " lost "
            + (reported - transactions)
            + " transactions that were reported as applied: the disk failed to keep what it took;"
            + " restart the node");
  }

  private void close(JeStore closing) {
    try {
      closing.close();
    } catch (RuntimeException e) {
      log.warn("engine in {}: closing it failed", directory, e);
    }
  }

  /** Closes for good. */
  void close() {
    lock.writeLock().lock();
    try {
      if (open) {
        open = false;
        failure = new EngineResult.Failed(false, "the engine is closed");
        close(store);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private EngineResult.Failed failed(String what, RuntimeException e) {
    boolean outOfSpace = isOutOfSpace(e);
    if (!outOfSpace) {
      warn("a " + what + " failed: " + e.getMessage(), e);
    } else if (!full) {
      full = true;
      log.warn("engine in {}: no room: {}", directory, e.getMessage());
    }
    return new EngineResult.Failed(
        outOfSpace, "engine in " + directory + ": a " + what + " failed: " + e.getMessage());
  }

  /** Says it, with its trace, unless it was said not long ago. */
  private void warn(String text, RuntimeException e) {
    synchronized (repeats) {
      repeats.toSay(text).ifPresent(line -> log.warn("engine in {}: {}", directory, line, e));
    }
  }

  private boolean isOutOfSpace(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof DiskLimitException
          || (cause instanceof LogWriteException && isVolumeFull())) {
        return true;
      }
    }
    return false;
  }

  /** Asks the volume: the operating system's message is in the language of the user. */
  private boolean isVolumeFull() {
    try {
      return Files.getFileStore(directory).getUsableSpace() < SPACE_BYTES_MIN;
    } catch (IOException e) {
      log.warn("engine in {}: cannot tell how much room there is", directory, e);
      return false;
    }
  }

  /** A bug or want of memory: nothing to be done here, but the caller hears of it. */
  static EngineResult.Failed failedBy(Throwable cause) {
    return new EngineResult.Failed(false, "the engine failed: " + cause);
  }
}
