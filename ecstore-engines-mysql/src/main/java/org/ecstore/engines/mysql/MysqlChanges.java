package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * The changes of a batch as transactions of bounded size, with the metadata in the last one: an
 * entry is there only with all that came before it (rule W4).
 */
final class MysqlChanges {
  private static final int ROWS_MAX = 2_000;
  private static final long BYTES_MAX = 8L << 20;
  private static final int CLEARED_MAX = 5_000;

  /** So many rows more than before a step of a clear has that comes behind another one. */
  private static final int CLEARED_MORE = 100;

  private final MysqlWriter writer;
  private final Tables tables;

  /** Rows that the next step of a clear deletes: half as many after one that failed. */
  private int cleared = CLEARED_MAX;

  MysqlChanges(MysqlWriter writer, Tables tables) {
    this.writer = writer;
    this.tables = tables;
  }

  void write(StoreBatch batch) {
    List<Row> puts = new ArrayList<>();
    long bytes = 0;
    for (Row row : batch.puts()) {
      puts.add(row);
      bytes += row.key().length() + row.value().length();
      if (puts.size() == ROWS_MAX || bytes >= BYTES_MAX) {
        step(puts, List.of(), List.of());
        puts.clear();
        bytes = 0;
      }
    }
    List<Bytes> deletes = batch.deletes();
    int from = 0;
    for (; deletes.size() - from > ROWS_MAX; from += ROWS_MAX) {
      step(puts, deletes.subList(from, from + ROWS_MAX), List.of());
      puts.clear();
    }
    List<Bytes> last = deletes.subList(from, deletes.size());
    if (!puts.isEmpty() || !last.isEmpty() || !batch.metadata().isEmpty()) {
      step(puts, last, batch.metadata());
    }
  }

  private void step(List<Row> puts, List<Bytes> deletes, List<MetadataEntry> metadata) {
    writer.transact(
        "write",
        connection -> {
          put(connection, puts);
          delete(connection, deletes);
          note(connection, metadata);
          return true;
        });
  }

  private void put(Connection connection, List<Row> rows) throws SQLException {
    List<Row> some = rows.stream().filter(row -> !StoredKey.isLong(row.key())).toList();
    if (!some.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(tables.put())) {
        for (Row row : some) {
          statement.setBytes(1, row.key().array());
          statement.setLong(2, row.version().value());
          statement.setBytes(3, row.value().array());
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
    if (some.size() < rows.size()) {
      try (PreparedStatement statement = connection.prepareStatement(tables.putLong())) {
        for (Row row : rows) {
          if (StoredKey.isLong(row.key())) {
            statement.setBytes(1, StoredKey.id(row.key()));
            statement.setBytes(2, StoredKey.head(row.key()).array());
            statement.setBytes(3, StoredKey.tail(row.key()).array());
            statement.setLong(4, row.version().value());
            statement.setBytes(5, row.value().array());
            statement.addBatch();
          }
        }
        statement.executeBatch();
      }
    }
  }

  private void delete(Connection connection, List<Bytes> keys) throws SQLException {
    List<byte[]> some =
        keys.stream().filter(key -> !StoredKey.isLong(key)).map(Bytes::array).toList();
    each(connection, tables.delete(), some);
    each(
        connection,
        tables.deleteLong(),
        keys.stream().filter(StoredKey::isLong).map(StoredKey::id).toList());
  }

  private static void each(Connection connection, String change, List<byte[]> keys)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(change)) {
      for (byte[] key : keys) {
        statement.setBytes(1, key);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void note(Connection connection, List<MetadataEntry> entries) throws SQLException {
    for (MetadataEntry entry : entries) {
      boolean isPut = entry.value().isPresent();
      try (PreparedStatement statement =
          connection.prepareStatement(isPut ? tables.note() : tables.forget())) {
        statement.setBytes(1, entry.name().array());
        if (isPut) {
          statement.setBytes(2, entry.value().get().array());
        }
        statement.executeUpdate();
      }
    }
  }

  void clear(KeyRange interval) {
    Optional<KeyRange> rest = StoredKey.indexed(interval);
    while (rest.isPresent()) {
      KeyRange left = rest.get();
      Optional<Bytes> behind = clearStep((connection, rows) -> clear(connection, left, rows));
      rest = behind.map(key -> KeyRange.between(key, left.end()));
    }
    boolean hasMore = true;
    while (hasMore) {
      hasMore = clearStep((connection, rows) -> clearLong(connection, interval, rows));
    }
  }

  /** What is deleted in a transaction of its own. */
  private interface Clearing<T> {
    T made(Connection connection, int rows) throws SQLException;
  }

  /**
   * A step that failed may have been too large: the next one is smaller, if the clear is made again
   * too.
   */
  private <T> T clearStep(Clearing<T> clearing) {
    int rows = cleared;
    boolean done = false;
    try {
      T made = writer.transact("clear", connection -> clearing.made(connection, rows));
      done = true;
      return made;
    } finally {
      cleared = done ? Math.min(CLEARED_MAX, rows + CLEARED_MORE) : Math.max(1, rows / 2);
    }
  }

  /**
   * Deletes some rows, the first ones. The next step begins behind them: the server passes over
   * rows that are deleted, one by one, for as long as there is a read of before.
   *
   * @return the first key that is left; absent if none is
   */
  private Optional<Bytes> clear(Connection connection, KeyRange interval, int rows)
      throws SQLException {
    Optional<Bytes> behind = Optional.empty();
    try (PreparedStatement statement =
        connection.prepareStatement(tables.behind(interval.end().isPresent()))) {
      statement.setInt(new Parameters().interval(interval).set(statement, 1), rows);
      try (ResultSet found = statement.executeQuery()) {
        if (found.next()) {
          behind = Optional.of(Bytes.wrap(found.getBytes(1)));
        }
      }
    }
    KeyRange some = behind.map(key -> KeyRange.of(interval.start(), key)).orElse(interval);
    try (PreparedStatement statement =
        connection.prepareStatement(tables.clear(some.end().isPresent()))) {
      // There are no more of them, and in this order the server looks at no others.
      statement.setInt(new Parameters().interval(some).set(statement, 1), rows);
      statement.executeUpdate();
    }
    return behind;
  }

  /** Deletes some rows of long keys; whether there may be more of them. */
  private boolean clearLong(Connection connection, KeyRange interval, int rows)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(tables.clearLong(interval.end().isPresent()))) {
      statement.setInt(new Parameters().longInterval(interval).set(statement, 1), rows);
      return statement.executeUpdate() == rows;
    }
  }

  /** All that was confirmed before is on the server's disk: it says how it is set. */
  void sync() {
    writer.transact(
        "sync",
        connection -> {
          MysqlServer.checkDurable(connection);
          return true;
        });
  }
}
