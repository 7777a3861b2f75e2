package org.ecstore.engines.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
import org.mariadb.jdbc.Driver;

/**
 * The {@link OrderedStore} on a MariaDB or MySQL server, with InnoDB. Of the node it has a
 * directory with the store's identity only. Each commit is on the server's disk when it is
 * confirmed, which is checked; {@link #sync} asks the server whether it still has all of them.
 */
public final class MysqlStore implements OrderedStore {
  private static final StoreDirectory.Format FORMAT = new StoreDirectory.Format(MysqlKind.NAME, 1);

  private final HeldDirectory directory;
  private final MysqlServer server;
  private final HikariDataSource pool;
  private final MysqlWriter writer;
  private final MysqlReads reads;
  private final MysqlChanges changes;
  private final MysqlEstimates estimates;
  private volatile boolean closed;

  private MysqlStore(
      HeldDirectory directory,
      MysqlServer server,
      Tables tables,
      HikariDataSource pool,
      MysqlWriter writer) {
    this.directory = directory;
    this.server = server;
    this.pool = pool;
    this.writer = writer;
    this.reads = new MysqlReads(pool, tables, writer.ownership());
    this.changes = new MysqlChanges(writer, tables);
    this.estimates = new MysqlEstimates(reads, tables);
  }

  /**
   * Opens the store of a directory, which is created if need be, and takes its tables over from the
   * instance that had them.
   *
   * @throws org.ecstore.engines.EngineLockedException if the directory is in use
   * @throws EngineOpenException if it cannot be opened: of another kind, a server that does not
   *     answer or is not set as it must be, tables of another store
   */
  public static MysqlStore open(Path directory, MysqlSettings settings) {
    HeldDirectory held = HeldDirectory.takeUnclaimed(directory, FORMAT);
    boolean opened = false;
    try {
      MysqlStore store = open(held, settings);
      opened = true;
      return store;
    } catch (SQLException | StoreException e) {
      throw new EngineOpenException(
          directory,
          "cannot open the store "
              + settings.server().store()
              + " of "
              + directory
              + " at "
              + settings.server().shownUrl()
              + ": "
              + settings.covered(String.valueOf(e.getMessage()))
              + MysqlServer.hint(e),
          e);
    } finally {
      if (!opened) {
        held.close();
      }
    }
  }

  private static MysqlStore open(HeldDirectory held, MysqlSettings settings) throws SQLException {
    MysqlServer server = new MysqlServer(settings);
    Tables tables = new Tables(settings.server().store());
    MysqlWriter writer = MysqlWriter.takeOver(server, tables, settings, held.identity());
    HikariDataSource pool = null;
    boolean opened = false;
    try {
      pool = new HikariDataSource(config(server, settings));
      MysqlStore store = new MysqlStore(held, server, tables, pool, writer);
      store.reads.findLongKeys();
      held.claim();
      opened = true;
      return store;
    } finally {
      if (!opened) {
        writer.close();
        if (pool != null) {
          pool.close();
        }
      }
    }
  }

  private static HikariConfig config(MysqlServer server, MysqlSettings settings) {
    long millis = settings.answerWithin().toMillis();
    HikariConfig config = new HikariConfig();
    config.setPoolName("ecstore-" + settings.server().store());
    config.setJdbcUrl(settings.url());
    config.setDriverClassName(Driver.class.getName());
    config.setDataSourceProperties(server.properties());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(Tables.readerSettings());
    config.setMaximumPoolSize(settings.readers());
    config.setMinimumIdle(1);
    // Hikari's own least values.
    config.setConnectionTimeout(Math.max(millis, 250));
    config.setValidationTimeout(Math.clamp(millis, 250, TimeUnit.SECONDS.toMillis(5)));
    config.setInitializationFailTimeout(-1);
    return config;
  }

  @Override
  public EngineTraits profile() {
    return MysqlKind.TRAITS;
  }

  @Override
  public List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    return read("read", () -> reads.get(keys, bytesMax));
  }

  @Override
  public EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    return read("scan", () -> reads.scan(interval, bounds));
  }

  @Override
  public List<MetadataEntry> metadata() {
    return read("read", reads::metadata);
  }

  @Override
  public EngineResult.Size size(KeyRange interval) {
    return read("size", () -> estimates.size(interval));
  }

  @Override
  public Optional<Bytes> middle(KeyRange interval) {
    return read("middle", () -> estimates.middle(interval));
  }

  @Override
  public void write(StoreBatch batch) {
    checkOpen();
    if (batch.puts().stream().anyMatch(row -> StoredKey.isLong(row.key()))) {
      reads.expectLongKeys();
    }
    changes.write(batch);
  }

  @Override
  public void clear(KeyRange interval) {
    checkOpen();
    changes.clear(interval);
  }

  @Override
  public void sync() {
    checkOpen();
    changes.sync();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    writer.close();
    pool.close();
    directory.close();
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException(StoreException.Reason.UNAVAILABLE, "the store is closed");
    }
    writer.ownership().check();
  }

  /** What a call reads; what it throws becomes a {@link StoreException}. */
  private interface Reading<T> {
    T done() throws SQLException;
  }

  private <T> T read(String what, Reading<T> reading) {
    checkOpen();
    try {
      return reading.done();
    } catch (SQLException e) {
      throw server.failed(what, e, writer.ownership());
    }
  }
}
