package org.ecstore.engines.window;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * How far the store below is, by intervals of keys (rule W1). Any thread reads; changes are made
 * one at a time.
 */
final class FoldPositions {
  /**
   * How far the store is in an interval, as values of positions; {@link #NOTHING} before any.
   *
   * @param folded it has, durably, every key as of this position or later
   * @param folding at or above: rows may be as of it
   */
  record Fold(long folded, long folding) {
    /** Below every position: the store has nothing of what is in the ledger. */
    static final long NOTHING = -1;

    static final Fold NONE = new Fold(NOTHING, NOTHING);
  }

  /** Each holds from its key up to the next one. Never written to. */
  private volatile NavigableMap<Bytes, Fold> folds =
      Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of(Bytes.EMPTY, Fold.NONE)));

  /** Through which position the store has a key. */
  long folded(Bytes key) {
    return folds.floorEntry(key).getValue().folded();
  }

  /** The highest position as of which a row of an interval may be. */
  long folding(KeyRange interval) {
    long folding = Fold.NOTHING;
    for (Fold fold : overlapping(folds, interval).values()) {
      folding = Math.max(folding, fold.folding());
    }
    return folding;
  }

  /** As above, of a key. */
  long folding(Bytes key) {
    return folds.floorEntry(key).getValue().folding();
  }

  /** Through which position the store has all of an interval. */
  long folded(KeyRange interval) {
    long folded = Long.MAX_VALUE;
    for (Fold fold : overlapping(folds, interval).values()) {
      folded = Math.min(folded, fold.folded());
    }
    return folded;
  }

  private static NavigableMap<Bytes, Fold> overlapping(
      NavigableMap<Bytes, Fold> all, KeyRange interval) {
    Bytes first = all.floorKey(interval.start());
    return interval.end().isPresent()
        ? all.subMap(first, true, interval.end().get(), false)
        : all.tailMap(first, true);
  }

  /** Changes what holds in an interval. */
  synchronized void change(KeyRange interval, UnaryOperator<Fold> change) {
    TreeMap<Bytes, Fold> next = new TreeMap<>(folds);
    cut(next, interval.start());
    interval.end().ifPresent(end -> cut(next, end));
    for (Map.Entry<Bytes, Fold> entry : overlapping(next, interval).entrySet()) {
      entry.setValue(change.apply(entry.getValue()));
    }
    joinEqual(next);
    folds = Collections.unmodifiableNavigableMap(next);
  }

  private static void cut(TreeMap<Bytes, Fold> folds, Bytes at) {
    folds.put(at, folds.floorEntry(at).getValue());
  }

  private static void joinEqual(TreeMap<Bytes, Fold> folds) {
    Optional<Fold> before = Optional.empty();
    for (var entries = folds.values().iterator(); entries.hasNext(); ) {
      Fold fold = entries.next();
      if (before.equals(Optional.of(fold))) {
        entries.remove();
      }
      before = Optional.of(fold);
    }
  }
}
