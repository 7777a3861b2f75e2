package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.Ownership;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/** Reads, each with a look at whose the store is in the same statement (rule W10). */
final class MysqlReads {
  private static final int GET_KEYS_MAX = 64;

  private final DataSource pool;
  private final Tables tables;
  private final Ownership ownership;
  private final PageBounds pages = new PageBounds();

  /** Whether there may be long keys at all. */
  private volatile boolean longKeys;

  MysqlReads(DataSource pool, Tables tables, Ownership ownership) {
    this.pool = pool;
    this.tables = tables;
    this.ownership = ownership;
  }

  /** From now on, there may be long keys. */
  void expectLongKeys() {
    longKeys = true;
  }

  /** Looks whether there are long keys. */
  void findLongKeys() throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(tables.anyLong());
        ResultSet found = statement.executeQuery()) {
      longKeys = found.next();
    }
  }

  DataSource pool() {
    return pool;
  }

  boolean hasLongKeys() {
    return longKeys;
  }

  List<Optional<Row>> get(List<Bytes> keys, int bytesMax) throws SQLException {
    List<Optional<Row>> found = new ArrayList<>(keys.size());
    long bytes = 0;
    try (Connection connection = pool.getConnection()) {
      while (found.size() < keys.size() && bytes < bytesMax) {
        int some = pages.rows(bytesMax - bytes, GET_KEYS_MAX);
        int to = Math.min(keys.size(), found.size() + some);
        List<Bytes> asked = keys.subList(found.size(), to);
        int valueMax = PageBounds.valueMax(bytesMax - bytes, asked.size());
        Map<Bytes, FoundRow> rows = indexed(connection, asked, valueMax);
        for (Bytes key : asked) {
          Optional<Row> row = row(connection, key, rows.get(key));
          found.add(row);
          bytes += row.map(each -> key.length() + each.value().length()).orElse(0);
          if (bytes >= bytesMax) {
            break;
          }
        }
      }
    }
    return found;
  }

  /** The row of a key, read by itself if it was not found with others. */
  private Optional<Row> row(Connection connection, Bytes key, @Nullable FoundRow found)
      throws SQLException {
    boolean isLeftOut = found != null && found.value().isEmpty();
    if (isLeftOut || StoredKey.isLong(key)) {
      return Optional.ofNullable(whole(connection, List.of(key)).get(key));
    }
    return Optional.ofNullable(found).map(FoundRow::row);
  }

  /** The rows of some keys that there are, with their values however long these are. */
  Map<Bytes, Row> whole(Connection connection, List<Bytes> keys) throws SQLException {
    Map<Bytes, Row> rows = new HashMap<>();
    indexed(connection, keys, Integer.MAX_VALUE)
        .forEach((key, found) -> rows.put(key, found.row()));
    for (Bytes key : keys) {
      if (StoredKey.isLong(key)) {
        Parameters id = new Parameters().key(StoredKey.id(key));
        for (FoundRow found : found(connection, tables.getLong(), id)) {
          rows.put(key, new Row(key, found.version(), found.value().orElseThrow()));
        }
      }
    }
    return rows;
  }

  /** The rows of those of the keys that are not long. */
  private Map<Bytes, FoundRow> indexed(Connection connection, List<Bytes> keys, int valueMax)
      throws SQLException {
    Map<Bytes, FoundRow> rows = new HashMap<>();
    List<Bytes> some = keys.stream().filter(key -> !StoredKey.isLong(key)).toList();
    if (!some.isEmpty()) {
      // As many places as the next power of two: few statements are prepared.
      int places = Integer.highestOneBit(2 * some.size() - 1);
      Parameters parameters = new Parameters().number(valueMax);
      for (int i = 0; i < places; i++) {
        parameters.key(some.get(Math.min(i, some.size() - 1)).array());
      }
      found(connection, tables.get(places), parameters).forEach(row -> rows.put(row.key(), row));
    }
    return rows;
  }

  /** What a fenced statement finds, without the row that says whose the store is. */
  List<FoundRow> found(Connection connection, String query, Parameters parameters)
      throws SQLException {
    long confirmed = ownership.confirmed();
    Long sequence = null;
    List<FoundRow> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, ownership.token());
      parameters.set(statement, 2);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          byte[] key = found.getBytes(1);
          if (key == null) {
            sequence = found.getLong(2);
          } else {
            Position version = new Position(found.getLong(2));
            Optional<Bytes> value = Optional.ofNullable(found.getBytes(3)).map(Bytes::wrap);
            rows.add(new FoundRow(Bytes.wrap(key), version, found.getLong(4), value));
          }
        }
      }
    }
    ownership.checkFound(sequence, confirmed);
    return rows;
  }

  List<MetadataEntry> metadata() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return found(connection, tables.metadata(), new Parameters()).stream()
          .sorted(Comparator.comparing(FoundRow::key))
          .map(row -> new MetadataEntry(row.key(), row.value()))
          .toList();
    }
  }

  EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return new MysqlScan(this, connection, tables, pages, bounds).of(interval);
    }
  }
}
