package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.Halving;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * How much an interval has, and where its middle is: counted while it is little, and by the
 * server's estimates for its own plans when it is much.
 */
final class MysqlEstimates {
  private static final int COUNTED_MAX = 40_000;

  /** What the server expects is right while it is less. */
  private static final int PLANNED_RIGHT_MAX = 2_000;

  /** Rows whose keys are too long for the index are few. */
  private static final int LONG_COUNTED_MAX = 200_000;

  private static final int COUNTED_BYTES_MAX = 4 << 20;

  /** How often an interval is cut in two because the server only says that it is large. */
  private static final int CUTS_MAX = 5;

  /** Rows whose lengths are looked at. */
  private static final int MEASURED_MAX = 64;

  private final MysqlReads reads;
  private final Tables tables;

  MysqlEstimates(MysqlReads reads, Tables tables) {
    this.reads = reads;
    this.tables = tables;
  }

  /** Fails in a statement of the server, unseen by a bisection, which asks for numbers. */
  private static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final SQLException cause;

    Failed(SQLException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  EngineResult.Size size(KeyRange interval) throws SQLException {
    // So that a store that is lost does not look empty.
    reads.scan(interval, new ScanBounds(false, 1, 1, true));
    EngineResult.Size some = new EngineResult.Size(0, 0);
    try (Connection connection = reads.pool().getConnection()) {
      Optional<KeyRange> indexed = StoredKey.indexed(interval);
      if (indexed.isPresent()) {
        boolean bounded = indexed.get().end().isPresent();
        Parameters parameters = new Parameters().interval(indexed.get());
        long rows = number(connection, tables.count(bounded), parameters, COUNTED_MAX + 1);
        if (rows > COUNTED_MAX) {
          rows = Math.max(rows, estimate(connection, indexed.get()));
        }
        some = measured(connection, tables.lengths(bounded), parameters, rows);
      }
      if (!reads.hasLongKeys()) {
        return some;
      }
      boolean bounded = interval.end().isPresent();
      Parameters parameters = new Parameters().longInterval(interval);
      long rows = number(connection, tables.countLong(bounded), parameters, LONG_COUNTED_MAX);
      EngineResult.Size more = measured(connection, tables.lengthsLong(bounded), parameters, rows);
      return new EngineResult.Size(some.records() + more.records(), some.bytes() + more.bytes());
    }
  }

  /** So many rows, each as long as the first ones are. */
  private static EngineResult.Size measured(
      Connection connection, String query, Parameters parameters, long rows) throws SQLException {
    long bytes = 0;
    int count = 0;
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setInt(parameters.set(statement, 1), MEASURED_MAX);
      try (ResultSet found = statement.executeQuery()) {
        for (; found.next(); count++) {
          bytes += found.getLong(1);
        }
      }
    }
    return count == 0
        ? new EngineResult.Size(rows, 0)
        : new EngineResult.Size(rows, Math.round((double) bytes * rows / count));
  }

  private static long number(Connection connection, String query, Parameters parameters, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setInt(parameters.set(statement, 1), limit);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    }
  }

  /**
   * The rows of a large interval. The server doubles what it finds, unless it has looked at all of
   * the interval, and takes anything above half of the table for about the whole of it; such an
   * interval is cut in two.
   */
  private long estimate(Connection connection, KeyRange interval) throws SQLException {
    long whole = planned(connection, KeyRange.ALL);
    if (whole <= COUNTED_MAX) {
      // More were counted: what the server knows of the table is of before they came.
      try (Statement statement = connection.createStatement()) {
        statement.execute(tables.analysis());
      }
      whole = planned(connection, KeyRange.ALL);
    }
    return interval.equals(KeyRange.ALL) ? whole : estimate(connection, interval, whole, 0);
  }

  private long estimate(Connection connection, KeyRange interval, long whole, int cuts)
      throws SQLException {
    long planned = planned(connection, interval);
    Optional<Bytes> middle =
        planned * 5 < whole * 2 || cuts == CUTS_MAX ? Optional.empty() : within(interval);
    if (middle.isEmpty()) {
      return planned < PLANNED_RIGHT_MAX ? planned : planned / 2;
    }
    return estimate(connection, KeyRange.of(interval.start(), middle.get()), whole, cuts + 1)
        + estimate(connection, KeyRange.between(middle.get(), interval.end()), whole, cuts + 1);
  }

  /** A key half way between the first and the last one of an interval. */
  private Optional<Bytes> within(KeyRange interval) throws SQLException {
    List<Row> first = reads.scan(interval, new ScanBounds(false, 1, 1, true)).rows();
    List<Row> last = reads.scan(interval, new ScanBounds(true, 1, 1, true)).rows();
    if (first.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    Bytes middle = Halving.between(first.getFirst().key(), last.getFirst().key());
    return middle.compareTo(interval.start()) > 0 ? Optional.of(middle) : Optional.empty();
  }

  /** How many rows the server expects to look at. */
  private long planned(Connection connection, KeyRange interval) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(tables.estimate(interval.end().isPresent()))) {
      new Parameters().interval(interval).set(statement, 1);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getLong("rows") : 0;
      }
    }
  }

  Optional<Bytes> middle(KeyRange interval) throws SQLException {
    List<Row> rows =
        reads
            .scan(interval, new ScanBounds(false, COUNTED_MAX + 1, COUNTED_BYTES_MAX, true))
            .rows();
    if (rows.size() <= COUNTED_MAX && bytes(rows) < COUNTED_BYTES_MAX) {
      return rows.size() < 2 ? Optional.empty() : Optional.of(rows.get(rows.size() / 2).key());
    }
    Bytes first = rows.getFirst().key();
    List<Row> end = reads.scan(interval, new ScanBounds(true, 1, 1, true)).rows();
    Bytes last = end.isEmpty() ? rows.getLast().key() : end.getFirst().key();
    Bytes place = place(first, last);
    List<Row> behind =
        reads
            .scan(KeyRange.between(place, interval.end()), new ScanBounds(false, 1, 1, true))
            .rows();
    return Optional.of(behind.isEmpty() ? last : behind.getFirst().key());
  }

  private static long bytes(List<Row> rows) {
    return rows.stream().mapToLong(row -> row.key().length()).sum();
  }

  private Bytes place(Bytes first, Bytes last) throws SQLException {
    try (Connection connection = reads.pool().getConnection()) {
      return Halving.place(first, last, key -> below(connection, first, key));
    } catch (Failed e) {
      throw e.cause;
    }
  }

  private long below(Connection connection, Bytes first, Bytes key) {
    Optional<KeyRange> interval = StoredKey.indexed(KeyRange.of(first, key));
    try {
      return interval.isEmpty() ? 0 : estimate(connection, interval.get());
    } catch (SQLException e) {
      throw new Failed(e);
    }
  }
}
