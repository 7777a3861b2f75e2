package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * A fold of some intervals: of each key the newest version at or below the target goes to the
 * store. What a clear takes away meanwhile is taken out of it (rule W6). The engine's lock guards
 * it.
 */
final class RunningFold {
  private final Position target;
  private List<KeyRange> intervals;
  private List<KeyRange> rest;

  RunningFold(KeyRange interval, Position target) {
    this.target = target;
    this.intervals = List.of(interval);
    this.rest = List.of(interval);
  }

  Position target() {
    return target;
  }

  /** What is folded, without what was taken out. */
  List<KeyRange> intervals() {
    return intervals;
  }

  /** Begins anew with all that is left, for a second walk. */
  void rewind() {
    rest = intervals;
  }

  /** Takes an interval out. */
  void exclude(KeyRange cleared) {
    intervals = without(intervals, cleared);
    rest = without(rest, cleared);
  }

  private static List<KeyRange> without(List<KeyRange> from, KeyRange cleared) {
    List<KeyRange> left = new ArrayList<>();
    for (KeyRange keys : from) {
      if (!keys.overlaps(cleared)) {
        left.add(keys);
        continue;
      }
      if (keys.start().compareTo(cleared.start()) < 0) {
        left.add(KeyRange.of(keys.start(), cleared.start()));
      }
      cleared
          .end()
          .filter(keys::isBelowEnd)
          .ifPresent(end -> left.add(KeyRange.between(end, keys.end())));
    }
    return left;
  }

  /** The next keys of the walk, none at its end. */
  List<WindowKey> next(VersionWindow window, int keysMax) {
    List<WindowKey> found = new ArrayList<>();
    while (!rest.isEmpty() && found.isEmpty()) {
      KeyRange keys = rest.getFirst();
      Optional<Bytes> from = Optional.empty();
      for (WindowKey each : window.in(keys, false)) {
        if (found.size() == keysMax) {
          from = Optional.of(each.key());
          break;
        }
        found.add(each);
      }
      List<KeyRange> left = new ArrayList<>();
      from.ifPresent(key -> left.add(KeyRange.between(key, keys.end())));
      left.addAll(rest.subList(1, rest.size()));
      rest = left;
    }
    return found;
  }

  boolean isWalked() {
    return rest.isEmpty();
  }

  /** What of some keys goes to the store. */
  StoreBatch batch(List<WindowKey> keys) {
    List<Row> puts = new ArrayList<>();
    List<Bytes> deletes = new ArrayList<>();
    for (WindowKey each : keys) {
      WindowVersion version = each.atOrBelow(target.value());
      if (version != null) {
        VersionedWrite write =
            new VersionedWrite(each.key(), new Position(version.version()), version.value());
        write
            .value()
            .ifPresentOrElse(
                value -> puts.add(new Row(write.key(), write.version(), value)),
                () -> deletes.add(write.key()));
      }
    }
    return new StoreBatch(puts, deletes, List.of());
  }
}
