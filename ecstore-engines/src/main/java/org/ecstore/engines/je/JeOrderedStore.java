package org.ecstore.engines.je;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.LogWriteException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Repeats;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreDirectory;
import org.ecstore.engines.store.StoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link OrderedStore} on Berkeley DB Java Edition. What Berkeley DB throws becomes a {@link
 * StoreException}; after a failure that made the environment unusable (an I/O error, such as a
 * volume that is full) the next call opens it anew, at most once a second, and finds it {@link
 * StoreException.Reason#LOST} if it then knows less than was reported. Calls hold a shared lock, so
 * that the environment is not closed beneath them.
 */
public final class JeOrderedStore implements OrderedStore {
  private static final Logger log = LoggerFactory.getLogger(JeOrderedStore.class);
  static final EngineTraits TRAITS = new EngineTraits("je", true, true, false, true);
  private static final StoreDirectory.Format FORMAT = new StoreDirectory.Format("je", 2);
  private static final long REOPEN_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
  private static final long SPACE_BYTES_MIN = 1 << 20;

  private final Path directory;
  private final JeSettings settings;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile JeRows rows;
  private volatile boolean open = true;

  /** What calls fail by while it is not open. */
  private volatile StoreException failure =
      new StoreException(StoreException.Reason.UNAVAILABLE, "the store is not open");

  /** Transactions reported as done: an environment that knows fewer has lost some. */
  private volatile long reported;

  /** Guarded by the exclusive lock. */
  private long reopenedNanos;

  private volatile boolean closed;

  /** Guarded by itself. */
  private final Repeats repeats = new Repeats(System::nanoTime);

  private JeOrderedStore(Path directory, JeSettings settings, JeRows rows) {
    this.directory = directory;
    this.settings = settings;
    this.rows = rows;
    this.reported = rows.environment().transactions();
    this.reopenedNanos = System.nanoTime() - REOPEN_NANOS_MIN;
  }

  /**
   * Opens the store of a directory, which is created if need be.
   *
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws EngineOpenException if it cannot be opened: of another kind or format, a corrupt log,
   *     an I/O error
   */
  public static JeOrderedStore open(Path directory, JeSettings settings) {
    Path real = OpenDirectories.take(directory);
    try {
      StoreDirectory.claim(real, FORMAT);
      return new JeOrderedStore(real, settings, JeRows.open(real, settings));
    } catch (RuntimeException e) {
      OpenDirectories.release(real);
      throw e;
    }
  }

  /** The environment, for tests that break it. */
  JeEnvironment environment() {
    return rows.environment();
  }

  @Override
  public EngineTraits profile() {
    return TRAITS;
  }

  @Override
  public List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    return call("read", store -> store.get(keys, bytesMax));
  }

  @Override
  public EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    return call("read", store -> store.scan(interval, bounds));
  }

  @Override
  public void write(StoreBatch batch) {
    change(store -> store.write(batch));
  }

  @Override
  public void clear(KeyRange interval) {
    change(store -> store.clear(interval));
  }

  @Override
  public List<MetadataEntry> metadata() {
    return call("read", store -> store.environment().metadata());
  }

  @Override
  public void sync() {
    change(store -> store.environment().sync());
  }

  @Override
  public EngineResult.Size size(KeyRange interval) {
    return call("read", store -> store.size(interval));
  }

  @Override
  public Optional<Bytes> middle(KeyRange interval) {
    return call("read", store -> store.middle(interval));
  }

  /** Nothing while it is opened anew: who asks does not wait. */
  @Override
  public Optional<CacheUse> cacheUse() {
    if (!lock.readLock().tryLock()) {
      return Optional.empty();
    }
    try {
      return open && rows.environment().isValid()
          ? Optional.of(rows.environment().cacheUse())
          : Optional.empty();
    } catch (DatabaseException | IllegalStateException e) {
      // It fails at this moment; the next call says it.
      return Optional.empty();
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      failure = new StoreException(StoreException.Reason.UNAVAILABLE, "the store is closed");
      if (open) {
        open = false;
        close(rows);
      }
    } finally {
      lock.writeLock().unlock();
    }
    OpenDirectories.release(directory);
  }

  private void change(Consumer<JeRows> change) {
    call(
        "change",
        store -> {
          try {
            change.accept(store);
            return true;
          } finally {
            reported = store.environment().transactions();
          }
        });
  }

  private <T> T call(String what, Function<JeRows, T> work) {
    if (!isUsable()) {
      reopen();
    }
    lock.readLock().lock();
    try {
      if (!open) {
        throw failure;
      }
      return work.apply(rows);
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failed(what, e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private boolean isUsable() {
    return closed || (open && rows.environment().isValid());
  }

  /** Opens the environment anew if it is unusable, and not more often than is sensible. */
  private void reopen() {
    lock.writeLock().lock();
    try {
      long now = System.nanoTime();
      if (isUsable() || now - reopenedNanos < REOPEN_NANOS_MIN || isLost()) {
        return;
      }
      reopenedNanos = now;
      if (open) {
        open = false;
        close(rows);
      }
      JeRows reopened = JeRows.open(directory, settings);
      long known = reopened.environment().transactions();
      if (known < reported) {
        close(reopened);
        failure = lost(reported - known);
        log.error(failure.getMessage());
        return;
      }
      rows = reopened;
      open = true;
      log.info("store in {}: opened anew after a failure", directory);
    } catch (EngineOpenException e) {
      failure = failed("open", e);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Only a restart of the node helps: its copies begin again from their notes. */
  private boolean isLost() {
    return failure.reason() == StoreException.Reason.LOST;
  }

  private StoreException lost(long transactions) {
    return new StoreException(
        StoreException.Reason.LOST,
        "store in "
            + directory
            + " lost "
            + transactions
            + " transactions that were reported as done: the disk failed to keep what it took;"
            + " restart the node");
  }

  private void close(JeRows closing) {
    try {
      closing.environment().close();
    } catch (RuntimeException e) {
      log.warn("store in {}: closing it failed", directory, e);
    }
  }

  private StoreException failed(String what, RuntimeException e) {
    boolean full = isOutOfSpace(e);
    String text = "store in " + directory + ": a " + what + " failed: " + e.getMessage();
    synchronized (repeats) {
      repeats.toSay(text).ifPresent(line -> log.warn(line, full ? null : e));
    }
    return new StoreException(
        full ? StoreException.Reason.NO_ROOM : StoreException.Reason.UNAVAILABLE, text, e);
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
      log.warn("store in {}: cannot tell how much room there is", directory, e);
      return false;
    }
  }
}
