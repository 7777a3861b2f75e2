package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.EngineResult;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * A fold of some intervals that is under way: of each key the newest version at or below a position
 * goes to the store. What a clear takes away meanwhile is taken out of it (rule W6). The lock of
 * {@link WindowFolds} guards it.
 */
final class RunningFold {
  /** How far a fold is. */
  enum Phase {
    /** It walks the window and writes to the store. */
    WALKING,
    /** It waits for the sync that makes durable what it wrote. */
    WALKED,
    /** It is durable, and waits for the readers that began before. */
    DURABLE,
    /** It walks the window and takes versions away. */
    DROPPING
  }

  private final long through;
  private final Consumer<EngineResult> done;
  private Phase phase;
  private List<KeyRange> intervals;
  private List<KeyRange> rest;
  private int dropped;

  RunningFold(KeyRange interval, long through, Phase phase, Consumer<EngineResult> done) {
    this.through = through;
    this.phase = phase;
    this.done = done;
    this.intervals = List.of(interval);
    this.rest = List.of(interval);
  }

  /** The position, as its value, through which the store has all at the end. */
  long through() {
    return through;
  }

  Phase phase() {
    return phase;
  }

  /** Goes on to a phase, with a walk of its own. */
  void enter(Phase next) {
    phase = next;
    rest = intervals;
  }

  /** What is folded, without what was taken out. */
  List<KeyRange> intervals() {
    return intervals;
  }

  boolean contains(Bytes key) {
    return intervals.stream().anyMatch(keys -> keys.contains(key));
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

  /** A key has lost versions. */
  void dropped() {
    dropped++;
  }

  void fail(EngineResult result) {
    done.accept(result);
  }

  void end() {
    done.accept(new EngineResult.Folded(dropped));
  }
}
