package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.RowPage;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/** A scan: the rows of both tables in the order of their keys, a page of each at a time. */
final class MysqlScan {
  private static final int PAGE_ROWS_MAX = 1_024;
  private static final int LONG_PAGE_ROWS_MAX = 64;

  /** Values that are read at once of those that were left out: they may have become longer. */
  private static final int FILLED_MAX = 16;

  private final MysqlReads reads;
  private final Connection connection;
  private final Tables tables;
  private final PageBounds pages;
  private final ScanBounds bounds;

  MysqlScan(
      MysqlReads reads, Connection connection, Tables tables, PageBounds pages, ScanBounds bounds) {
    this.reads = reads;
    this.connection = connection;
    this.tables = tables;
    this.pages = pages;
    this.bounds = bounds;
  }

  EngineResult.Rows of(KeyRange interval) throws SQLException {
    RowPage page = new RowPage(bounds);
    Optional<KeyRange> indexed = StoredKey.indexed(interval);
    Source some = new Source(indexed, false);
    // Also where there are none: each scan asks whose the store is.
    boolean asksLong = reads.hasLongKeys() || indexed.isEmpty();
    Source longs = new Source(asksLong ? Optional.of(interval) : Optional.empty(), true);
    while (!page.isFull()) {
      FoundRow next = first(some.peek(page), longs.peek(page));
      if (next == null) {
        break;
      }
      Source source = StoredKey.isLong(next.key()) ? longs : some;
      if (next.value().isPresent()) {
        page.add(next.row());
        source.pass();
      } else {
        source.fill(page.bytesLeft());
      }
    }
    return page.result();
  }

  private @Nullable FoundRow first(@Nullable FoundRow one, @Nullable FoundRow other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return (one.key().compareTo(other.key()) < 0) != bounds.reverse() ? one : other;
  }

  private int wanted(RowPage page, int rowsMax) {
    int most = Math.min(page.recordsLeft(), rowsMax);
    return bounds.keysOnly()
        ? PageBounds.keys(page.bytesLeft(), most)
        : pages.rows(page.bytesLeft(), most);
  }

  /** The rows of one table. */
  private final class Source {
    private final boolean ofLongKeys;
    private Optional<KeyRange> rest;
    private List<FoundRow> rows = List.of();
    private int at;

    Source(Optional<KeyRange> rest, boolean ofLongKeys) {
      this.rest = rest;
      this.ofLongKeys = ofLongKeys;
    }

    @Nullable FoundRow peek(RowPage page) throws SQLException {
      while (at == rows.size() && rest.isPresent()) {
        KeyRange interval = rest.get();
        int wanted = wanted(page, ofLongKeys ? LONG_PAGE_ROWS_MAX : PAGE_ROWS_MAX);
        int valueMax = PageBounds.valueMax(page.bytesLeft(), wanted);
        try {
          rows =
              ofLongKeys ? longPage(interval, wanted, valueMax) : page(interval, wanted, valueMax);
        } catch (SQLException e) {
          pages.failed();
          throw e;
        }
        at = 0;
        if (!bounds.keysOnly()) {
          pages.learn(rows);
        }
      }
      return at < rows.size() ? rows.get(at) : null;
    }

    void pass() {
      at++;
    }

    /**
     * Reads the value of the next row, which was left out, and with it those of rows behind it as
     * far as they are asked for too. Rows that are gone since are passed over.
     */
    void fill(long bytesMax) throws SQLException {
      List<FoundRow> following = rows.subList(at, rows.size());
      Set<Bytes> keys = new HashSet<>();
      long bytes = 0;
      for (FoundRow row : following) {
        if (keys.size() == FILLED_MAX || bytes >= Math.min(bytesMax, PageBounds.BYTES_MAX)) {
          break;
        }
        if (row.value().isEmpty()) {
          keys.add(row.key());
        }
        bytes += row.bytes();
      }
      Map<Bytes, Row> whole = reads.whole(connection, List.copyOf(keys));
      List<FoundRow> filled = new ArrayList<>();
      for (FoundRow row : following) {
        Row now = whole.get(row.key());
        if (now != null) {
          filled.add(FoundRow.of(now));
        } else if (!keys.contains(row.key())) {
          filled.add(row);
        }
      }
      rows = filled;
      at = 0;
    }

    /** The bounds of an interval, behind the place for the greatest length of a value, if any. */
    private Parameters parameters(int valueMax) {
      return bounds.keysOnly() ? new Parameters() : new Parameters().number(valueMax);
    }

    private List<FoundRow> sorted(List<FoundRow> found) {
      List<FoundRow> sorted = new ArrayList<>(found);
      Comparator<FoundRow> order = Comparator.comparing(FoundRow::key);
      sorted.sort(bounds.reverse() ? order.reversed() : order);
      return sorted;
    }

    private List<FoundRow> page(KeyRange interval, int wanted, int valueMax) throws SQLException {
      String query = tables.scan(interval.end().isPresent(), bounds.reverse(), bounds.keysOnly());
      Parameters parameters = parameters(valueMax).interval(interval).number(wanted);
      List<FoundRow> found = sorted(reads.found(connection, query, parameters));
      rest =
          found.size() < wanted
              ? Optional.empty()
              : behind(interval, found.getLast().key()).flatMap(StoredKey::indexed);
      return found;
    }

    /**
     * The next rows of long keys, which begin with the next heads. Rows may be gone since the heads
     * were read: where there are fewer of them it goes on behind the last head, and ends where
     * there was none.
     */
    private List<FoundRow> longPage(KeyRange interval, int wanted, int valueMax)
        throws SQLException {
      boolean bounded = interval.end().isPresent();
      List<FoundRow> heads =
          sorted(
              reads.found(
                  connection,
                  tables.heads(bounded, bounds.reverse()),
                  new Parameters().longInterval(interval).number(wanted)));
      if (heads.isEmpty()) {
        rest = Optional.empty();
        return List.of();
      }
      Bytes last = heads.getLast().key();
      String query = tables.scanLong(bounded, bounds.reverse(), bounds.keysOnly());
      Parameters parameters =
          parameters(valueMax).longInterval(interval).key(last.array()).number(wanted);
      List<FoundRow> found = sorted(reads.found(connection, query, parameters));
      if (found.size() == wanted) {
        rest = behind(interval, found.getLast().key());
      } else {
        rest = heads.size() < wanted ? Optional.empty() : behindHead(interval, last);
      }
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
