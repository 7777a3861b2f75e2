package org.ecstore.engines.rocksdb;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB with what belongs to it, all of it outside of the heap and given back by {@link
 * #close}. One column family: rows that are in memory only reach the disk in the order in which
 * they were written, whatever they are, so that a crash leaves a prefix of the writes (rule W4).
 * Several families would be flushed each by itself.
 */
final class RocksDbHandle implements AutoCloseable {
  /** Values from this length on are in files of their own, which are not written over and over. */
  static final int BLOB_BYTES_MIN = 16 << 10;

  private static final int BLOOM_BITS = 10;
  private static final int OPEN_FILES_MAX = 1_000;
  private static final int JOBS_MAX = 2;
  private static final int LOG_FILES_KEPT = 3;

  static {
    RocksDB.loadLibrary();
  }

  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final RocksDB db;
  private final WriteOptions unlogged;
  private final FlushOptions whole;

  private RocksDbHandle(Path directory, RocksDbSettings settings) throws RocksDBException {
    boolean opened = false;
    try {
      this.unlogged = own(new WriteOptions().setDisableWAL(true));
      this.whole = own(new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true));
      this.db = own(RocksDB.open(options(settings), directory.toString()));
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  static RocksDbHandle open(Path directory, RocksDbSettings settings) throws RocksDBException {
    return new RocksDbHandle(directory, settings);
  }

  private Options options(RocksDbSettings settings) {
    LRUCache cache = own(new LRUCache(settings.cacheBytes()));
    WriteBufferManager buffers =
        own(new WriteBufferManager(2 * settings.writeBufferBytes(), cache));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(own(new BloomFilter(BLOOM_BITS)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    return own(new Options())
        .setCreateIfMissing(true)
        .setTableFormatConfig(table)
        .setWriteBufferManager(buffers)
        .setWriteBufferSize(settings.writeBufferBytes())
        .setLevelCompactionDynamicLevelBytes(true)
        // Sizes of files tell how many rows an interval has.
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setEnableBlobFiles(true)
        .setMinBlobSize(BLOB_BYTES_MIN)
        .setEnableBlobGarbageCollection(true)
        .setMaxOpenFiles(OPEN_FILES_MAX)
        .setMaxBackgroundJobs(JOBS_MAX)
        .setKeepLogFileNum(LOG_FILES_KEPT);
  }

  private <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  RocksDB db() {
    return db;
  }

  /** For writes: RocksDB's own log is off, for the commit ledger is the log. */
  WriteOptions unlogged() {
    return unlogged;
  }

  /** Brings what is in memory only into files, and these onto the disk. */
  void flush() throws RocksDBException {
    db.flush(whole);
  }

  @Override
  public void close() {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("a handle of RocksDB does not close", e);
      }
    }
  }
}
