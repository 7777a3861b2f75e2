package org.ecstore.bench.peer.mariadb;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.Collectors;
import org.ecstore.bench.store.BenchDb;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * One connection, with the statements of YCSB's JDBC binding, prepared on the server. A table is
 * made with its first record: the key and one column of bytes for each field.
 */
final class MariaDbDb extends BenchDb {
  private static final String NO_SUCH_TABLE = "42S02";
  private static final String DEADLOCK = "40001";
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int KEY_BYTES_MAX = 255;
  private static final int FIELD_BYTES = 100;

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  /** Names of a table's columns, in their order. */
  private final Map<String, List<String>> columns = new HashMap<>();

  private boolean transactional;

  MariaDbDb(Connection connection) throws SQLException {
    this.connection = connection;
    // For reads of one statement each this is as any other level.
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
  }

  @Override
  public void cleanup() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("a connection is not closed", e);
    }
  }

  private interface Work {
    Status run() throws SQLException;
  }

  private static Status tried(Work work) {
    try {
      return work.run();
    } catch (SQLException e) {
      return status(e);
    }
  }

  private static Status status(SQLException e) {
    return NO_SUCH_TABLE.equals(e.getSQLState())
        ? Status.NOT_FOUND
        : new Status("SQL-" + e.getSQLState(), String.valueOf(e.getMessage()));
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  /** Outside of transactions each statement is one by itself. */
  private void transactional(boolean wanted) throws SQLException {
    if (wanted != transactional) {
      connection.setAutoCommit(!wanted);
      transactional = wanted;
    }
  }

  private void row(
      String table, ResultSet row, @Nullable Set<String> wanted, Map<String, ByteIterator> into)
      throws SQLException {
    List<String> names = columns.get(table);
    if (names == null) {
      names = new java.util.ArrayList<>();
      for (int i = 2; i <= row.getMetaData().getColumnCount(); i++) {
        names.add(row.getMetaData().getColumnName(i));
      }
      columns.put(table, names);
    }
    for (int i = 0; i < names.size(); i++) {
      if (wanted == null || wanted.contains(names.get(i))) {
        byte[] value = row.getBytes(i + 2);
        if (value != null) {
          into.put(names.get(i), new ByteArrayByteIterator(value));
        }
      }
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return tried(
        () -> {
          transactional(false);
          return one(table, key, fields, result);
        });
  }

  private Status one(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result)
      throws SQLException {
    PreparedStatement select = prepared("SELECT * FROM `" + table + "` WHERE ycsb_key=?");
    select.setString(1, key);
    try (ResultSet rows = select.executeQuery()) {
      if (!rows.next()) {
        return Status.NOT_FOUND;
      }
      row(table, rows, fields, result);
      return Status.OK;
    }
  }

  @Override
  public Status readBoth(String table, String one, String other) {
    return tried(
        () -> {
          transactional(false);
          return both(table, one, other) ? Status.OK : Status.NOT_FOUND;
        });
  }

  private boolean both(String table, String one, String other) throws SQLException {
    PreparedStatement select = prepared("SELECT * FROM `" + table + "` WHERE ycsb_key IN (?,?)");
    select.setString(1, one);
    select.setString(2, other);
    int found = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        row(table, rows, null, new HashMap<>());
        found++;
      }
    }
    return found == 2;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return tried(
        () -> {
          transactional(false);
          PreparedStatement select =
              prepared("SELECT * FROM `" + table + "` WHERE ycsb_key>=? ORDER BY ycsb_key LIMIT ?");
          select.setString(1, startKey);
          select.setInt(2, records);
          try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              HashMap<String, ByteIterator> record = new HashMap<>();
              row(table, rows, fields, record);
              result.add(record);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status count(String table, String key) {
    return tried(
        () -> {
          transactional(false);
          try {
            return counted(table, key);
          } catch (SQLException e) {
            if (!NO_SUCH_TABLE.equals(e.getSQLState())) {
              throw e;
            }
            try (Statement create = connection.createStatement()) {
              create.execute(
                  "CREATE TABLE IF NOT EXISTS `"
                      + table
                      + "` (k VARCHAR(255) PRIMARY KEY, n BIGINT NOT NULL) ENGINE=InnoDB");
            }
            return counted(table, key);
          }
        });
  }

  private Status counted(String table, String key) throws SQLException {
    PreparedStatement update = prepared("UPDATE `" + table + "` SET n = n + 1 WHERE k = ?");
    update.setString(1, key);
    if (update.executeUpdate() == 0) {
      PreparedStatement first =
          prepared("INSERT INTO `" + table + "` VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1");
      first.setString(1, key);
      first.executeUpdate();
    }
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          transactional(false);
          TreeMap<String, byte[]> bytes = bytes(values);
          try {
            insert(table, key, bytes);
          } catch (SQLException e) {
            if (!NO_SUCH_TABLE.equals(e.getSQLState())) {
              throw e;
            }
            make(table, bytes);
            insert(table, key, bytes);
          }
          return Status.OK;
        });
  }

  private void insert(String table, String key, TreeMap<String, byte[]> values)
      throws SQLException {
    PreparedStatement insert =
        prepared(
            "INSERT INTO `%s` (ycsb_key, %s) VALUES (?%s) ON DUPLICATE KEY UPDATE %s"
                .formatted(
                    table,
                    joined(values.keySet(), "`%s`"),
                    ",?".repeat(values.size()),
                    joined(values.keySet(), "`%1$s`=VALUES(`%1$s`)")));
    insert.setString(1, key);
    int at = 2;
    for (byte[] value : values.values()) {
      insert.setBytes(at++, value);
    }
    insert.executeUpdate();
  }

  private void make(String table, TreeMap<String, byte[]> first) throws SQLException {
    String made =
        first.entrySet().stream()
            .map(field -> ", `" + field.getKey() + "` VARBINARY(" + room(field.getValue()) + ")")
            .collect(Collectors.joining());
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS `%s` (ycsb_key VARCHAR(%d) PRIMARY KEY%s)"
                  .formatted(table, KEY_BYTES_MAX, made)
              + " ENGINE=InnoDB CHARSET=latin1 COLLATE=latin1_bin");
    }
  }

  /** That of YCSB's own fields, or four times what the first record has. */
  private static int room(byte[] value) {
    return value.length <= FIELD_BYTES ? FIELD_BYTES : 4 * value.length;
  }

  private static TreeMap<String, byte[]> bytes(Map<String, ByteIterator> values) {
    TreeMap<String, byte[]> bytes = new TreeMap<>();
    values.forEach((name, value) -> bytes.put(name, value.toArray()));
    return bytes;
  }

  private static String joined(Set<String> names, String format) {
    return names.stream().map(format::formatted).collect(Collectors.joining(","));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          transactional(false);
          return update(table, key, bytes(values));
        });
  }

  private Status update(String table, String key, TreeMap<String, byte[]> values)
      throws SQLException {
    PreparedStatement update =
        prepared(
            "UPDATE `%s` SET %s WHERE ycsb_key=?"
                .formatted(table, joined(new TreeSet<>(values.keySet()), "`%s`=?")));
    int at = 1;
    for (byte[] value : values.values()) {
      update.setBytes(at++, value);
    }
    update.setString(at, key);
    return update.executeUpdate() == 1 ? Status.OK : Status.NOT_FOUND;
  }

  @Override
  public Status delete(String table, String key) {
    return tried(
        () -> {
          transactional(false);
          PreparedStatement delete = prepared("DELETE FROM `" + table + "` WHERE ycsb_key=?");
          delete.setString(1, key);
          delete.executeUpdate();
          return Status.OK;
        });
  }

  /** Serializable; again after a deadlock, of which the server has undone one side. */
  @Override
  public Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads) {
    for (int aborts = 0; ; aborts++) {
      try {
        transactional(true);
        return new Attempted(befriendOnce(table, one, other, field, value, reads), aborts);
      } catch (SQLException e) {
        boolean conflict =
            DEADLOCK.equals(e.getSQLState()) || e.getErrorCode() == LOCK_WAIT_TIMEOUT;
        Status undone =
            tried(
                () -> {
                  connection.rollback();
                  return Status.OK;
                });
        if (!conflict || !undone.isOk()) {
          return new Attempted(status(e), aborts);
        }
      }
    }
  }

  private Status befriendOnce(
      String table, String one, String other, String field, byte[] value, Reads reads)
      throws SQLException {
    boolean there =
        reads == Reads.TOGETHER
            ? both(table, one, other)
            : one(table, one, null, new HashMap<>()).isOk()
                && one(table, other, null, new HashMap<>()).isOk();
    if (!there) {
      connection.rollback();
      return Status.NOT_FOUND;
    }
    PreparedStatement update =
        prepared("UPDATE `" + table + "` SET `" + field + "`=? WHERE ycsb_key=?");
    for (String user : new String[] {one, other}) {
      update.setBytes(1, value);
      update.setString(2, user);
      update.addBatch();
    }
    // One way to the server for both.
    update.executeBatch();
    connection.commit();
    return Status.OK;
  }
}
