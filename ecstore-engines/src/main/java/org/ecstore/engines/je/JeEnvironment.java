package org.ecstore.engines.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentFailureException;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.EnvironmentStats;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.StatsConfig;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.dbi.EnvironmentFailureReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.key.Bytes;

/**
 * One open Berkeley DB environment: a database of data and one of metadata, changed together in
 * transactions that are counted. Changes come from one thread at a time; reads from any.
 *
 * <p>Commits are written to the file system but not synced (WRITE_NO_SYNC): the log is one file
 * sequence, so a crash of the machine keeps a prefix of the commits, and a failure of the
 * environment, after which it must be opened anew, loses none that was reported.
 */
final class JeEnvironment {
  private static final Durability DURABILITY = Durability.COMMIT_WRITE_NO_SYNC;
  private static final byte[] COUNT_NAME = {0};
  private static final byte ENTRY_PREFIX = 1;
  private static final String REMEDY =
      "restore the directory, or move it away so that the node fills its copies anew";
  private static final int CLEANED_BELOW_PERCENT = 35;
  private static final StatsConfig FAST = new StatsConfig().setFast(true);

  private final Environment environment;
  private final Database data;
  private final Database metadata;
  private final SyncMark syncMark;
  private long transactions;

  private JeEnvironment(
      Environment environment, Database data, Database metadata, SyncMark syncMark) {
    this.environment = environment;
    this.data = data;
    this.metadata = metadata;
    this.syncMark = syncMark;
    this.transactions = storedCount();
  }

  /**
   * Opens what is in a directory, or begins anew in an empty one.
   *
   * <p>Berkeley DB takes the first damaged record near the end of its log for the end of it, and
   * cuts there. That is right for a tail that a crash of the machine left unsynced, even with a
   * hole in it; {@link SyncMark} tells whether it is one. So the first attempt does not cut if
   * there are commits behind the damage, and a log that is refused has lost nothing by the attempt.
   */
  static JeEnvironment open(Path directory, JeSettings settings) {
    try {
      Files.createDirectories(directory);
      long synced = SyncMark.read(directory);
      EnvironmentConfig config = config(settings);
      config.setConfigParam(EnvironmentConfig.HALT_ON_COMMIT_AFTER_CHECKSUMEXCEPTION, "true");
      try {
        return open(directory, config, synced);
      } catch (EnvironmentFailureException e) {
        if (e.getReason() != EnvironmentFailureReason.FOUND_COMMITTED_TXN) {
          throw e;
        }
        config.setConfigParam(EnvironmentConfig.HALT_ON_COMMIT_AFTER_CHECKSUMEXCEPTION, "false");
        config.setReadOnly(true);
        open(directory, config, synced).abandon();
        config.setReadOnly(false);
        return open(directory, config, synced);
      }
    } catch (EngineOpenException e) {
      throw e;
    } catch (EnvironmentLockedException e) {
      throw EngineLockedException.byAnotherProcess(directory, e);
    } catch (EnvironmentFailureException e) {
      throw new EngineOpenException(
          directory,
          "Berkeley DB cannot recover its log in directory "
              + directory
              + (e.isCorrupted() ? ": the log is damaged; " + REMEDY + ": " : ": ")
              + e.getMessage(),
          e);
    } catch (IOException | RuntimeException e) {
      throw new EngineOpenException(
          directory, "cannot open Berkeley DB in directory " + directory + ": " + e, e);
    }
  }

  private static JeEnvironment open(Path directory, EnvironmentConfig config, long synced)
      throws IOException {
    boolean readOnly = config.getReadOnly();
    Environment environment = new Environment(directory.toFile(), config);
    try {
      DatabaseConfig databases = new DatabaseConfig();
      databases.setTransactional(true).setKeyPrefixing(true);
      databases.setAllowCreate(!readOnly).setReadOnly(readOnly);
      Database data = environment.openDatabase(null, "rows", databases);
      Database metadata = environment.openDatabase(null, "notes", databases);
      JeEnvironment opened =
          new JeEnvironment(environment, data, metadata, SyncMark.open(directory));
      if (opened.transactions < synced) {
        opened.syncMark.close();
        throw damaged(directory, synced - opened.transactions);
      }
      if (!readOnly) {
        environment.flushLog(true);
      }
      return opened;
    } catch (RuntimeException | IOException e) {
      abandon(environment);
      throw e;
    }
  }

  /** Closes it without a checkpoint: nothing may be written to a log that may be damaged. */
  private void abandon() throws IOException {
    syncMark.close();
    abandon(environment);
  }

  private static void abandon(Environment environment) {
    DbInternal.getNonNullEnvImpl(environment).abnormalClose();
  }

  private static EngineOpenException damaged(Path directory, long lost) {
    return new EngineOpenException(
        directory,
        "the Berkeley DB log in directory "
            + directory
            + " is damaged: it ends "
            + lost
            + " transactions before what had been synced; "
            + REMEDY);
  }

  private static EnvironmentConfig config(JeSettings settings) {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true);
    config.setDurability(DURABILITY);
    config.setCacheSize(settings.cacheBytes());
    set(config, EnvironmentConfig.LOG_FILE_MAX, settings.logFileBytes());
    set(config, EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, settings.checkpointBytes());
    set(config, EnvironmentConfig.FREE_DISK, settings.diskFreeBytes());
    // Berkeley DB counts the free space it is to leave as part of the limit.
    set(
        config,
        EnvironmentConfig.MAX_DISK,
        settings.diskBytesMax() == 0 ? 0 : settings.diskBytesMax() + settings.diskFreeBytes());
    // Less than the 50 it comes with: half again as much disk, and far less to write anew.
    set(config, EnvironmentConfig.CLEANER_MIN_UTILIZATION, CLEANED_BELOW_PERCENT);
    // How soon it sees that there is room again.
    config.setConfigParam(EnvironmentConfig.CLEANER_WAKEUP_INTERVAL, "1 s");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  private static void set(EnvironmentConfig config, String name, long value) {
    config.setConfigParam(name, Long.toString(value));
  }

  /** False once a failure has made it unusable: it must be closed, and may be opened anew. */
  boolean isValid() {
    return environment.isValid();
  }

  /** The environment itself, for tests that break it. */
  Environment environment() {
    return environment;
  }

  /** The database of data. */
  Database data() {
    return data;
  }

  /** Transactions ever committed in this directory, as reported to callers. */
  long transactions() {
    return transactions;
  }

  /** Of records and of the lowest nodes of trees, in which they are found. */
  CacheUse cacheUse() {
    EnvironmentStats stats = environment.getStats(FAST);
    return new CacheUse(
        stats.getNLNsFetch() + stats.getNBINsFetch(),
        stats.getNLNsFetchMiss() + stats.getNBINsFetchMiss());
  }

  private long storedCount() {
    DatabaseEntry value = new DatabaseEntry();
    OperationStatus status =
        metadata.get(null, new DatabaseEntry(COUNT_NAME), value, LockMode.READ_UNCOMMITTED);
    if (status != OperationStatus.SUCCESS) {
      return 0;
    }
    long count = 0;
    for (byte b : value.getData()) {
      count = count << 8 | (b & 0xff);
    }
    return count;
  }

  private void storeCount(Transaction transaction, long count) {
    byte[] value = new byte[Long.BYTES];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (count >>> (56 - 8 * i));
    }
    metadata.put(transaction, new DatabaseEntry(COUNT_NAME), new DatabaseEntry(value));
  }

  /** Makes changes in one transaction, which is committed at the end, or aborted if they throw. */
  void transact(Consumer<Transaction> changes) {
    Transaction transaction = environment.beginTransaction(null, null);
    try {
      changes.accept(transaction);
      storeCount(transaction, transactions + 1);
      transaction.commit();
    } catch (RuntimeException e) {
      try {
        transaction.abort();
      } catch (RuntimeException abort) {
        e.addSuppressed(abort);
      }
      throw e;
    }
    transactions++;
  }

  /** Puts or deletes a metadata entry. */
  void put(Transaction transaction, MetadataEntry entry) {
    DatabaseEntry name = new DatabaseEntry(Bytes.of(ENTRY_PREFIX).concat(entry.name()).array());
    if (entry.value().isPresent()) {
      metadata.put(transaction, name, new DatabaseEntry(entry.value().get().array()));
    } else {
      metadata.delete(transaction, name);
    }
  }

  /** All metadata in order of their names. */
  List<MetadataEntry> metadata() {
    List<MetadataEntry> all = new ArrayList<>();
    DatabaseEntry name = new DatabaseEntry(new byte[] {ENTRY_PREFIX});
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = metadata.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      OperationStatus status = cursor.getSearchKeyRange(name, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        Bytes stored = Bytes.wrap(name.getData());
        all.add(
            new MetadataEntry(
                stored.slice(1, stored.length()), Optional.of(Bytes.wrap(value.getData()))));
        status = cursor.getNext(name, value, LockMode.READ_UNCOMMITTED);
      }
    }
    return all;
  }

  /** Makes durable what was committed. */
  void sync() {
    environment.flushLog(true);
    syncMark.write(transactions);
  }

  /** Closes it. An unusable one is only let go: all of its handles go with the environment's. */
  void close() {
    try (syncMark;
        environment) {
      if (environment.isValid()) {
        sync();
        data.close();
        metadata.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
