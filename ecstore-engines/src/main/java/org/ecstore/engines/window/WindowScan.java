package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/**
 * A scan that merges pages of the store with the window, step by step. The window is pinned before
 * the first page (rule W5), so that the window has whatever a page that was read early has not.
 */
final class WindowScan {
  private final VersionWindow window;
  private final OrderedStore store;
  private final ScanSpec spec;
  private final int pageRows;
  private final WindowRules rules;
  private final List<Row> rows = new ArrayList<>();
  private long bytes;
  private @Nullable KeyRange rest;

  /** What was taken from the store and is not merged yet. */
  private EngineResult.@Nullable Rows page;

  /** How often the window was cleared before that. */
  private long cleared;

  private boolean limited;
  private boolean checked = true;

  WindowScan(
      VersionWindow window, OrderedStore store, ScanSpec spec, int pageRows, WindowRules rules) {
    this.window = window;
    this.store = store;
    this.spec = spec;
    this.pageRows = pageRows;
    this.rules = rules;
    this.rest = spec.interval();
  }

  /**
   * Takes a page from the store, or merges the one it took with the window; whether there is
   * nothing more to do. Between the two a fold may come and go.
   */
  boolean step() {
    KeyRange left = rest;
    EngineResult.Rows taken = page;
    if (left == null) {
      return true;
    }
    if (taken == null) {
      cleared = window.cleared();
      page = store.scan(left, bounds());
      return false;
    }
    page = null;
    KeyRange covered = taken.complete() ? left : through(left, taken.rows().getLast().key());
    merge(covered, taken.rows());
    rest = taken.complete() ? null : after(left, taken.rows().getLast().key());
    return limited || rest == null;
  }

  /** Takes all of the steps. */
  EngineResult.Rows whole() {
    boolean over = step();
    while (!over) {
      over = step();
    }
    return result();
  }

  /** All of it, over what the store is known to have, be it above the position. */
  EngineResult.Rows over(List<Row> stored) {
    checked = false;
    merge(spec.interval(), stored);
    return result();
  }

  private ScanBounds bounds() {
    long bytesLeft = Math.max(1, spec.bytesMax() - bytes);
    return new ScanBounds(
        spec.reverse(),
        Math.min(pageRows, spec.recordsMax() - rows.size()),
        (int) Math.min(Integer.MAX_VALUE, bytesLeft),
        spec.keysOnly());
  }

  /** The part of an interval that a page covers that ended with a key. */
  private KeyRange through(KeyRange interval, Bytes last) {
    return spec.reverse()
        ? KeyRange.between(last, interval.end())
        : KeyRange.of(interval.start(), last.successor());
  }

  private @Nullable KeyRange after(KeyRange interval, Bytes last) {
    if (spec.reverse()) {
      return last.equals(interval.start()) ? null : KeyRange.of(interval.start(), last);
    }
    Bytes next = last.successor();
    return interval.isBelowEnd(next) ? KeyRange.between(next, interval.end()) : null;
  }

  private void merge(KeyRange covered, List<Row> stored) {
    Iterator<WindowKey> newer = window.in(covered, spec.reverse()).iterator();
    Iterator<Row> older = stored.iterator();
    WindowKey above = newer.hasNext() ? newer.next() : null;
    Row below = older.hasNext() ? older.next() : null;
    while (!limited && (above != null || below != null)) {
      int order = above == null ? 1 : below == null ? -1 : above.key().compareTo(below.key());
      order = spec.reverse() && above != null && below != null ? -order : order;
      take(order <= 0 ? above : null, order >= 0 ? below : null);
      above = order <= 0 ? (newer.hasNext() ? newer.next() : null) : above;
      below = order >= 0 ? (older.hasNext() ? older.next() : null) : below;
    }
  }

  /** Takes a key that is in the window, in the store, or in both. */
  private void take(@Nullable WindowKey above, @Nullable Row below) {
    WindowVersion version = above == null ? null : above.atOrBelow(spec.at().value());
    if (above != null && version != null) {
      value(version, Optional.ofNullable(below))
          .ifPresent(value -> add(new Row(above.key(), new Position(version.version()), value)));
    } else if (below != null) {
      add(checked ? rules.readable(below, spec.at()) : below);
    }
  }

  private Optional<Bytes> value(WindowVersion version, Optional<Row> below) {
    if (spec.keysOnly()) {
      return version.isDeletion() ? Optional.empty() : Optional.of(Bytes.EMPTY);
    }
    WindowValue value = WindowValue.of(version);
    if (value.isWithinWindow()) {
      return value.value();
    }
    Optional<Row> row = checked ? rules.readable(below, spec.at()) : below;
    return value.over(row, rules::isTakenIn, checked && window.cleared() == cleared);
  }

  private void add(Row row) {
    rows.add(row);
    bytes += row.key().length() + row.value().length();
    limited = rows.size() >= spec.recordsMax() || bytes >= spec.bytesMax();
  }

  /** The end of the scan. */
  EngineResult.Rows result() {
    return new EngineResult.Rows(rows, !limited).aggregated(spec.aggregate());
  }
}
