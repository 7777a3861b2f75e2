package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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

  private final MysqlWriter writer;
  private final Tables tables;

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
    StoredKey.indexed(interval)
        .ifPresent(
            some -> clear(tables.clear(some.end().isPresent()), new Parameters().interval(some)));
    clear(tables.clearLong(interval.end().isPresent()), new Parameters().longInterval(interval));
  }

  private void clear(String deletion, Parameters parameters) {
    int cleared = CLEARED_MAX;
    while (cleared == CLEARED_MAX) {
      cleared =
          writer.transact(
              "clear",
              connection -> {
                try (PreparedStatement statement = connection.prepareStatement(deletion)) {
                  int next = parameters.set(statement, 1);
                  statement.setInt(next, CLEARED_MAX);
                  return statement.executeUpdate();
                }
              });
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
