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
import org.ecstore.engines.store.RowPage;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/** Reads, each with a look at whose the store is in the same statement (rule W10). */
final class MysqlReads {
  private static final int GET_KEYS_MAX = 64;
  private static final int PAGE_ROWS_MAX = 1_024;
  private static final int LONG_PAGE_ROWS_MAX = 64;

  private final DataSource pool;
  private final Tables tables;
  private final Ownership ownership;

  /** What a row has, about: pages are no longer than need be. */
  private volatile int rowBytes = 1_024;

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
        int some = Math.clamp((bytesMax - bytes) / rowBytes + 1, 1, GET_KEYS_MAX);
        int to = Math.min(keys.size(), found.size() + some);
        List<Bytes> asked = keys.subList(found.size(), to);
        Map<Bytes, Row> rows = rows(connection, asked);
        for (Bytes key : asked) {
          Optional<Row> row = Optional.ofNullable(rows.get(key));
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

  private Map<Bytes, Row> rows(Connection connection, List<Bytes> keys) throws SQLException {
    Map<Bytes, Row> rows = new HashMap<>();
    List<Bytes> some = keys.stream().filter(key -> !StoredKey.isLong(key)).toList();
    if (!some.isEmpty()) {
      // As many places as the next power of two: few statements are prepared.
      int places = Integer.highestOneBit(2 * some.size() - 1);
      Parameters parameters = new Parameters();
      for (int i = 0; i < places; i++) {
        parameters.key(some.get(Math.min(i, some.size() - 1)).array());
      }
      rows(connection, tables.get(places), parameters, OptionalLimit.NONE)
          .forEach(row -> rows.put(row.key(), row));
    }
    for (Bytes key : keys) {
      if (StoredKey.isLong(key) && longKeys) {
        Parameters id = new Parameters().key(StoredKey.id(key));
        rows(connection, tables.getLong(), id, OptionalLimit.NONE)
            .forEach(row -> rows.put(key, new Row(key, row.version(), row.value())));
      }
    }
    return rows;
  }

  /** The last place of a statement: how many rows, or none such. */
  private record OptionalLimit(int rows) {
    static final OptionalLimit NONE = new OptionalLimit(0);
  }

  /** What a fenced statement finds, without the row that says whose the store is. */
  private List<Row> rows(
      Connection connection, String query, Parameters parameters, OptionalLimit limit)
      throws SQLException {
    long confirmed = ownership.confirmed();
    Long sequence = null;
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, ownership.token());
      int place = parameters.set(statement, 2);
      if (limit.rows() > 0) {
        statement.setInt(place, limit.rows());
      }
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          byte[] key = found.getBytes(1);
          if (key == null) {
            sequence = found.getLong(2);
          } else {
            Bytes value = Bytes.wrap(found.getBytes(3));
            rows.add(new Row(Bytes.wrap(key), new Position(found.getLong(2)), value));
          }
        }
      }
    }
    ownership.checkFound(sequence, confirmed);
    return rows;
  }

  List<MetadataEntry> metadata() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return rows(connection, tables.metadata(), new Parameters(), OptionalLimit.NONE).stream()
          .sorted(Comparator.comparing(Row::key))
          .map(row -> new MetadataEntry(row.key(), Optional.of(row.value())))
          .toList();
    }
  }

  EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) throws SQLException {
    RowPage page = new RowPage(bounds);
    try (Connection connection = pool.getConnection()) {
      Pages some = new Pages(connection, StoredKey.indexed(interval), bounds, false);
      Optional<KeyRange> rest = longKeys ? Optional.of(interval) : Optional.empty();
      Pages longs = new Pages(connection, rest, bounds, true);
      while (!page.isFull()) {
        int wanted = wanted(page, bounds);
        Row next = first(some.peek(wanted), longs.peek(wanted), bounds.reverse());
        if (next == null) {
          break;
        }
        page.add(next);
        some.pass(next);
        longs.pass(next);
      }
    }
    return page.result();
  }

  private int wanted(RowPage page, ScanBounds bounds) {
    long perRow = bounds.keysOnly() ? 16 : rowBytes;
    return (int)
        Math.clamp(Math.min(page.recordsLeft(), page.bytesLeft() / perRow + 1), 1L, PAGE_ROWS_MAX);
  }

  private static @Nullable Row first(@Nullable Row one, @Nullable Row other, boolean reverse) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return (one.key().compareTo(other.key()) < 0) != reverse ? one : other;
  }

  /** The rows of one table in the order of a scan, a page of them at a time. */
  private final class Pages {
    private final Connection connection;
    private final ScanBounds bounds;
    private final boolean ofLongKeys;
    private Optional<KeyRange> rest;
    private List<Row> rows = List.of();
    private int at;

    Pages(Connection connection, Optional<KeyRange> rest, ScanBounds bounds, boolean ofLongKeys) {
      this.connection = connection;
      this.rest = rest;
      this.bounds = bounds;
      this.ofLongKeys = ofLongKeys;
    }

    @Nullable Row peek(int wanted) throws SQLException {
      while (at == rows.size() && rest.isPresent()) {
        KeyRange interval = rest.get();
        List<Row> found =
            ofLongKeys
                ? longPage(interval, Math.min(wanted, LONG_PAGE_ROWS_MAX))
                : page(interval, wanted);
        rows = sorted(found);
        at = 0;
      }
      return at < rows.size() ? rows.get(at) : null;
    }

    void pass(Row row) {
      if (at < rows.size() && rows.get(at).key().equals(row.key())) {
        at++;
      }
    }

    private List<Row> sorted(List<Row> found) {
      List<Row> sorted = new ArrayList<>(found);
      Comparator<Row> order = Comparator.comparing(Row::key);
      sorted.sort(bounds.reverse() ? order.reversed() : order);
      return sorted;
    }

    private List<Row> page(KeyRange interval, int wanted) throws SQLException {
      String query = tables.scan(interval.end().isPresent(), bounds.reverse(), bounds.keysOnly());
      Parameters parameters = new Parameters().interval(interval);
      List<Row> found = rows(connection, query, parameters, new OptionalLimit(wanted));
      rest =
          found.size() < wanted
              ? Optional.empty()
              : behind(interval, sorted(found).getLast().key()).flatMap(StoredKey::indexed);
      learn(found);
      return found;
    }

    private void learn(List<Row> found) {
      if (!found.isEmpty() && !bounds.keysOnly()) {
        long bytes =
            found.stream().mapToLong(row -> row.key().length() + row.value().length()).sum();
        rowBytes = (int) Math.max(1, (rowBytes + bytes / found.size()) / 2);
      }
    }

    /**
     * All rows of long keys that begin with the next heads. These may be gone since the heads were
     * read: it goes on behind the last head, and ends where there was none.
     */
    private List<Row> longPage(KeyRange interval, int wanted) throws SQLException {
      boolean bounded = interval.end().isPresent();
      Parameters parameters = new Parameters().longInterval(interval);
      byte[] last = null;
      int heads = 0;
      try (PreparedStatement statement =
          connection.prepareStatement(tables.heads(bounded, bounds.reverse()))) {
        statement.setInt(parameters.set(statement, 1), wanted);
        try (ResultSet found = statement.executeQuery()) {
          for (; found.next(); heads++) {
            last = found.getBytes(1);
          }
        }
      }
      if (last == null) {
        rest = Optional.empty();
        return List.of();
      }
      List<Row> found =
          rows(
              connection,
              tables.scanLong(bounded, bounds.reverse(), bounds.keysOnly()),
              parameters.key(last),
              OptionalLimit.NONE);
      rest = heads < wanted ? Optional.empty() : behindHead(interval, Bytes.wrap(last));
      return found;
    }

    private Optional<KeyRange> behindHead(KeyRange interval, Bytes head) {
      if (bounds.reverse()) {
        return head.compareTo(interval.start()) > 0
            ? Optional.of(KeyRange.of(interval.start(), head))
            : Optional.empty();
      }
      return KeyRange.prefix(head)
          .end()
          .filter(interval::isBelowEnd)
          .map(next -> KeyRange.between(next, interval.end()));
    }

    private Optional<KeyRange> behind(KeyRange interval, Bytes last) {
      if (bounds.reverse()) {
        return last.compareTo(interval.start()) > 0
            ? Optional.of(KeyRange.of(interval.start(), last))
            : Optional.empty();
      }
      Bytes next = last.successor();
      return interval.isBelowEnd(next)
          ? Optional.of(KeyRange.between(next, interval.end()))
          : Optional.empty();
    }
  }
}
