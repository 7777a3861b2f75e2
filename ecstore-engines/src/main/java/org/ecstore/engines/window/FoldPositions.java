package org.ecstore.engines.window;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
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
   * @param kept at or below folding: the window has every version above it, and of each key that
   *     was folded ahead of it what the key was there
   */
  record Fold(long folded, long folding, long kept) {
    /** Below every position: the store has nothing of what is in the ledger. */
    static final long NOTHING = -1;

    static final Fold NONE = new Fold(NOTHING, NOTHING, NOTHING);

    /** As a fold begins. */
    Fold begun(long through, long readable) {
      return new Fold(folded, Math.max(folding, through), Math.max(kept, readable));
    }

    /** As a fold is durable. */
    Fold ended(long through) {
      return new Fold(Math.max(folded, through), folding, kept);
    }

    /** As a start has found it noted, or a transfer has left it. */
    Fold restored(long through, long rows) {
      long least = Math.max(through, rows);
      return new Fold(Math.max(folded, through), Math.max(folding, least), Math.max(kept, least));
    }
  }

  /** Each holds from its key up to the next one. Never written to. */
  private volatile NavigableMap<Bytes, Fold> folds =
      Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of(Bytes.EMPTY, Fold.NONE)));

  /** How far the store is at a key. */
  Fold at(Bytes key) {
    return folds.floorEntry(key).getValue();
  }

  /** The highest position as of which a row of an interval may be. */
  long folding(KeyRange interval) {
    return greatest(interval, Fold::folding);
  }

  /** From where on every position of an interval can be read. */
  long kept(KeyRange interval) {
    return greatest(interval, Fold::kept);
  }

  private long greatest(KeyRange interval, ToLongFunction<Fold> of) {
    return overlapping(folds, interval).values().stream().mapToLong(of).max().orElse(Fold.NOTHING);
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
