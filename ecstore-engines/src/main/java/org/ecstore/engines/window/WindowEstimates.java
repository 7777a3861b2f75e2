package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** How much an interval holds, and where its middle is: of little exactly, of much about. */
final class WindowEstimates {
  /** Up to so many keys the size and the middle of an interval are exact. */
  private static final int EXACT_KEYS = 4_096;

  /** As long as they have no more bytes than these: all of them are held at once. */
  private static final int EXACT_BYTES = 8 << 20;

  /** Keys of the window of which the store is asked whether it has them. */
  private static final int SAMPLED_KEYS = 64;

  private static final Position END = new Position(Long.MAX_VALUE);

  private final OrderedStore store;
  private final VersionWindow window;
  private final WindowRules rules;

  WindowEstimates(OrderedStore store, VersionWindow window, WindowRules rules) {
    this.store = store;
    this.window = window;
    this.rules = rules;
  }

  /** What there is, as far as that is not much: up to as many keys as are exact. */
  private EngineResult.Rows first(KeyRange keys, boolean keysOnly, int bytesMax) {
    return new WindowScan(
            window,
            store,
            new ScanSpec(keys, END, false, EXACT_KEYS, bytesMax, keysOnly),
            EXACT_KEYS,
            rules)
        .whole();
  }

  /**
   * What the store has, and of the window what it has not: of some keys the store is asked, and of
   * all a part is taken that is as large as of these.
   */
  EngineResult size(KeyRange keys) {
    EngineResult.Size below = store.size(keys);
    EngineResult.Size seen = new EngineResult.Size(0, 0);
    if (below.records() <= EXACT_KEYS && below.bytes() <= EXACT_BYTES) {
      // The window may have much, and the store may have said too little.
      EngineResult.Rows first = first(keys, false, EXACT_BYTES);
      seen = sum(first.rows());
      if (first.complete()) {
        return seen;
      }
    }
    Delta delta = delta(keys);
    return new EngineResult.Size(
        Math.max(seen.records(), below.records() + Math.round(delta.records())),
        Math.max(seen.bytes(), below.bytes() + Math.round(delta.bytes())));
  }

  private static EngineResult.Size sum(List<Row> rows) {
    return new EngineResult.Size(
        rows.size(),
        rows.stream().mapToLong(row -> row.key().length() + row.value().length()).sum());
  }

  private record Delta(double records, double bytes) {}

  private Delta delta(KeyRange keys) {
    List<WindowKey> all = new ArrayList<>();
    window.in(keys, false).forEach(all::add);
    int stride = Math.max(1, all.size() / SAMPLED_KEYS);
    double records = 0;
    double bytes = 0;
    int sampled = 0;
    for (int i = 0; i < all.size(); i += stride) {
      WindowKey key = all.get(i);
      Optional<Row> below = store.get(List.of(key.key()), Integer.MAX_VALUE).getFirst();
      WindowVersion newest = key.newest();
      Optional<Row> now = newest == null ? below : now(key, newest, below);
      records += (now.isPresent() ? 1 : 0) - (below.isPresent() ? 1 : 0);
      bytes += bytes(now) - bytes(below);
      sampled++;
    }
    double each = sampled == 0 ? 0 : (double) all.size() / sampled;
    return new Delta(records * each, bytes * each);
  }

  private Optional<Row> now(WindowKey key, WindowVersion newest, Optional<Row> below) {
    return WindowValue.of(newest)
        .over(below, rules::isTakenIn, false)
        .map(value -> new Row(key.key(), new Position(newest.version()), value));
  }

  private static double bytes(Optional<Row> row) {
    return row.map(found -> found.key().length() + found.value().length()).orElse(0);
  }

  /** That of the store, or of the window if it has more, kept between the first and last key. */
  Optional<Bytes> middle(KeyRange keys) {
    EngineResult.Rows first = first(keys, true, Integer.MAX_VALUE);
    if (first.complete()) {
      List<Row> rows = first.rows();
      return rows.size() < 2 ? Optional.empty() : Optional.of(rows.get(rows.size() / 2).key());
    }
    List<Bytes> above = new ArrayList<>();
    for (WindowKey key : window.in(keys, false)) {
      WindowVersion newest = key.newest();
      if (newest != null && !newest.isDeletion()) {
        above.add(key.key());
      }
    }
    Optional<Bytes> below = store.middle(keys);
    boolean windowHasMore = below.isEmpty() || above.size() > store.size(keys).records();
    Bytes middle = windowHasMore && !above.isEmpty() ? above.get(above.size() / 2) : below.get();
    return Optional.of(kept(middle, keys));
  }

  private Bytes kept(Bytes middle, KeyRange keys) {
    List<Row> first = ends(keys, false);
    Bytes last = ends(keys, true).getFirst().key();
    Bytes above = middle.compareTo(first.getFirst().key()) > 0 ? middle : first.get(1).key();
    return above.compareTo(last) > 0 ? last : above;
  }

  private List<Row> ends(KeyRange keys, boolean reverse) {
    WindowScan scan =
        new WindowScan(
            window, store, new ScanSpec(keys, END, reverse, 2, Integer.MAX_VALUE, true), 2, rules);
    return scan.whole().rows();
  }
}
