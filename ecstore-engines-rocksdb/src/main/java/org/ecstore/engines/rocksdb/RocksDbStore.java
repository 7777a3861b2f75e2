package org.ecstore.engines.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.HeldDirectory;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreDirectory;
import org.ecstore.engines.store.StoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link OrderedStore} on RocksDB. Its own log is off: {@link #sync} brings what is in memory
 * into files. Every write fails with {@link StoreException.Reason#NO_ROOM} before the volume is
 * full, for a database whose files cannot be written any more refuses all writes until it is opened
 * anew. Calls hold a shared lock: memory that RocksDB gave back must not be touched.
 */
public final class RocksDbStore implements OrderedStore {
  private static final Logger log = LoggerFactory.getLogger(RocksDbStore.class);
  private static final StoreDirectory.Format FORMAT =
      new StoreDirectory.Format(RocksDbKind.NAME, 1);

  private final HeldDirectory directory;
  private final RocksDbSettings settings;
  private final RocksDbHandle handle;
  private final RocksDbReads reads;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  private RocksDbStore(HeldDirectory directory, RocksDbSettings settings, RocksDbHandle handle) {
    this.directory = directory;
    this.settings = settings;
    this.handle = handle;
    this.reads = new RocksDbReads(handle.db());
  }

  /**
   * Opens the store of a directory, which is created if need be.
   *
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws EngineOpenException if it cannot be opened: of another kind or format, corrupt, an I/O
   *     error
   */
  public static RocksDbStore open(Path directory, RocksDbSettings settings) {
    HeldDirectory held = HeldDirectory.take(directory, FORMAT);
    boolean opened = false;
    try {
      RocksDbStore store =
          new RocksDbStore(held, settings, RocksDbHandle.open(held.data(), settings));
      opened = true;
      return store;
    } catch (RocksDBException e) {
      throw new EngineOpenException(
          directory,
          "RocksDB cannot open "
              + directory
              + ": "
              + e.getMessage()
              + "; restore the directory, or move it away so that the node fills its copies anew",
          e);
    } finally {
      if (!opened) {
        held.close();
      }
    }
  }

  /** The database, for tests that copy its files. */
  RocksDbHandle handle() {
    return handle;
  }

  @Override
  public EngineTraits profile() {
    return RocksDbKind.TRAITS;
  }

  @Override
  public List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    return call("read", () -> reads.get(keys, bytesMax));
  }

  @Override
  public EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    return call("scan", () -> reads.scan(interval, bounds));
  }

  @Override
  public List<MetadataEntry> metadata() {
    return call("read", reads::metadata);
  }

  @Override
  public EngineResult.Size size(KeyRange interval) {
    return call("size", () -> reads.size(interval));
  }

  @Override
  public Optional<Bytes> middle(KeyRange interval) {
    return call("middle", () -> reads.middle(interval));
  }

  @Override
  public void write(StoreBatch batch) {
    call(
        "write",
        () -> {
          checkRoom();
          try (WriteBatch changes = new WriteBatch()) {
            for (Row row : batch.puts()) {
              changes.put(RowBytes.key(row.key()), RowBytes.value(row));
            }
            for (Bytes key : batch.deletes()) {
              changes.delete(RowBytes.key(key));
            }
            for (MetadataEntry entry : batch.metadata()) {
              change(changes, entry);
            }
            handle.db().write(handle.unlogged(), changes);
          }
          return true;
        });
  }

  private static void change(WriteBatch changes, MetadataEntry entry) throws RocksDBException {
    byte[] name = RowBytes.entry(entry.name());
    if (entry.value().isPresent()) {
      changes.put(name, entry.value().get().array());
    } else {
      changes.delete(name);
    }
  }

  @Override
  public void clear(KeyRange interval) {
    call(
        "clear",
        () -> {
          handle
              .db()
              .deleteRange(
                  handle.unlogged(), RowBytes.key(interval.start()), RowBytes.end(interval));
          return true;
        });
  }

  @Override
  public void sync() {
    call(
        "sync",
        () -> {
          handle.flush();
          return true;
        });
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      handle.flush();
    } catch (RocksDBException e) {
      log.warn("store in {}: what was written last is not durable", directory.path(), e);
    } finally {
      if (closed) {
        handle.close();
        directory.close();
      }
      lock.writeLock().unlock();
    }
  }

  /** What a call does; what it throws becomes a {@link StoreException}. */
  private interface Work<T> {
    T done() throws RocksDBException;
  }

  private <T> T call(String what, Work<T> work) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new StoreException(StoreException.Reason.UNAVAILABLE, "the store is closed");
      }
      return work.done();
    } catch (RocksDBException e) {
      throw new StoreException(
          isFull(e) ? StoreException.Reason.NO_ROOM : StoreException.Reason.UNAVAILABLE,
          "store in " + directory.path() + ": a " + what + " failed: " + e.getMessage(),
          e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private static boolean isFull(RocksDBException e) {
    Status status = e.getStatus();
    return status != null && status.getSubCode() == Status.SubCode.NoSpace;
  }

  private void checkRoom() {
    long free;
    try {
      free = Files.getFileStore(directory.path()).getUsableSpace();
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE,
          "store in " + directory.path() + ": cannot tell how much room there is",
          e);
    }
    if (free < settings.diskFreeBytes()) {
      throw new StoreException(
          StoreException.Reason.NO_ROOM,
          "the volume of "
              + directory.path()
              + " has "
              + (free >> 20)
              + " MiB left, less than the "
              + (settings.diskFreeBytes() >> 20)
              + " MiB that must stay free: make room");
    }
  }
}
