package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.EngineResult.KeyVersion;
import org.ecstore.core.port.Event;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.FoldPositions.Fold;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * Answers at a position from the window and the store below it. What is in the window alone is
 * answered on the caller's thread; the rest by the readers of {@link WindowTasks}.
 */
final class WindowReads {
  /** Keys of an interval that are looked at on the caller's thread. */
  private static final int KEYS_AT_ONCE = 256;

  private static final int KEYS_OF_SHORT = 64;
  private static final int RECORDS_OF_SHORT = 128;

  private static final EngineResult NO_ROOM =
      new EngineResult.Overloaded("what was read before waits for those who asked for it");

  private final OrderedStore store;
  private final VersionWindow window;
  private final FoldPositions positions;
  private final ReaderPins pins;
  private final WindowTasks tasks;
  private final WindowRules rules;
  private final WindowResults results;
  private final BooleanSupplier room;

  WindowReads(
      OrderedStore store,
      VersionWindow window,
      FoldPositions positions,
      ReaderPins pins,
      WindowTasks tasks,
      WindowRules rules,
      WindowResults results,
      BooleanSupplier room) {
    this.store = store;
    this.window = window;
    this.positions = positions;
    this.pins = pins;
    this.tasks = tasks;
    this.rules = rules;
    this.results = results;
    this.room = room;
  }

  // Keys.

  void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    Optional<EngineResult> atOnce = fromWindow(keys, at, bytesMax);
    if (atOnce.isPresent()) {
      EngineResult result = room.getAsBoolean() ? atOnce.get() : NO_ROOM;
      tasks.deliver(() -> results.deliver(token, result));
      return;
    }
    List<Bytes> asked = List.copyOf(keys);
    answer(
        token,
        asked.size() > KEYS_OF_SHORT,
        () -> kept(asked),
        at,
        () -> fromBoth(asked, at, bytesMax));
  }

  private long kept(List<Bytes> keys) {
    long kept = Fold.NOTHING;
    for (Bytes key : keys) {
      kept = Math.max(kept, positions.at(key).kept());
    }
    return kept;
  }

  /** That it is too old, if a position is below what is kept. */
  private static Optional<EngineResult> tooOld(long kept, Position at) {
    return kept > at.value()
        ? Optional.of(new EngineResult.TooOld(new Position(kept)))
        : Optional.empty();
  }

  private Optional<EngineResult> isTooOld(long kept, Position at) {
    return tooOld(rules.readableFrom(kept), at);
  }

  private Optional<WindowVersion> inWindow(Bytes key, Position at) {
    WindowKey there = window.get(key);
    return there == null ? Optional.empty() : Optional.ofNullable(there.atOrBelow(at.value()));
  }

  /** The answer, if the window has all that was asked for. */
  private Optional<EngineResult> fromWindow(List<Bytes> keys, Position at, int bytesMax) {
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    long bytes = 0;
    for (Bytes key : keys) {
      Optional<WindowVersion> version = inWindow(key, at).filter(WindowVersion::isKnown);
      if (version.isEmpty()) {
        return Optional.empty();
      }
      bytes += add(rows, row(key, version.get(), version.get().value()));
      if (bytes >= bytesMax) {
        break;
      }
    }
    return Optional.of(isTooOld(kept(keys), at).orElseGet(() -> new EngineResult.Found(rows)));
  }

  private static Optional<Row> row(Bytes key, WindowVersion version, Optional<Bytes> value) {
    return value.map(found -> new Row(key, new Position(version.version()), found));
  }

  private static long add(List<Optional<Row>> rows, Optional<Row> row) {
    rows.add(row);
    return row.map(found -> (long) found.key().length() + found.value().length()).orElse(0L);
  }

  private EngineResult fromBoth(List<Bytes> keys, Position at, int bytesMax) {
    // Made only as far as the answer goes: a list that was appended to is made anew each time.
    List<Optional<WindowValue>> above = new ArrayList<>(keys.size());
    List<Bytes> missing = new ArrayList<>();
    for (Bytes key : keys) {
      Optional<WindowValue> value =
          inWindow(key, at).map(WindowValue::of).filter(WindowValue::isWithinWindow);
      above.add(value);
      if (value.isEmpty()) {
        missing.add(key);
      }
    }
    long cleared = window.cleared();
    Iterator<Optional<Row>> below = store.get(missing, bytesMax).iterator();
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    long bytes = 0;
    for (int i = 0; i < keys.size() && bytes < bytesMax; i++) {
      Bytes key = keys.get(i);
      Optional<WindowValue> value = above.get(i);
      bytes +=
          add(
              rows,
              value.isPresent()
                  ? row(key, value.get().version(), value.get().value())
                  : readable(key, below.next(), at, cleared));
    }
    return new EngineResult.Found(rows);
  }

  /**
   * A fold ahead may have come between: then the window has by now what the row was.
   *
   * @param cleared how often the window had been cleared before the row was read
   */
  private Optional<Row> readable(Bytes key, Optional<Row> stored, Position at, long cleared) {
    Optional<WindowValue> value = inWindow(key, at).map(WindowValue::of);
    if (value.isEmpty()) {
      return rules.readable(stored, at);
    }
    Optional<Bytes> found =
        value.get().isWithinWindow()
            ? value.get().value()
            : value
                .get()
                .over(rules.readable(stored, at), rules::isTakenIn, window.cleared() == cleared);
    return row(key, value.get().version(), found);
  }

  // Intervals.

  void scan(long token, ScanSpec spec) {
    WindowScan scan = new WindowScan(window, store, spec, tasks.pageRows(), rules);
    inSteps(
        token,
        spec.recordsMax() > RECORDS_OF_SHORT,
        () -> positions.kept(spec.interval()),
        spec.at(),
        scan::step,
        scan::result);
  }

  /** Answers by one look, at no position. */
  void estimate(long token, Supplier<EngineResult> estimate) {
    answer(token, true, () -> Fold.NOTHING, Position.ZERO, estimate);
  }

  /** Answers by one look. */
  private void answer(
      long token, boolean isLong, LongSupplier kept, Position at, Supplier<EngineResult> read) {
    List<EngineResult> answers = new ArrayList<>(1);
    inSteps(token, isLong, kept, at, () -> answers.add(read.get()), answers::getFirst);
  }

  /**
   * Answers a read at a position, with the window pinned from before the first look to after the
   * last; and not below what is kept, at its end as at its beginning (rules W1, W5).
   */
  private void inSteps(
      long token,
      boolean isLong,
      LongSupplier kept,
      Position at,
      BooleanSupplier read,
      Supplier<EngineResult> result) {
    submit(token, isLong, new PinnedRead(token, kept, at, read, result)::step);
  }

  private void submit(long token, boolean isLong, WindowTasks.Steps read) {
    EngineResult refusal = new EngineResult.Overloaded("too many reads wait in the engine");
    if (!tasks.read(isLong, read, () -> WindowResults.done(token, refusal))) {
      tasks.deliver(() -> results.deliver(token, refusal));
    }
  }

  /** A read on its way. */
  private final class PinnedRead {
    private final long token;
    private final LongSupplier kept;
    private final Position at;
    private final BooleanSupplier read;
    private final Supplier<EngineResult> result;
    private long pin;

    PinnedRead(
        long token,
        LongSupplier kept,
        Position at,
        BooleanSupplier read,
        Supplier<EngineResult> result) {
      this.token = token;
      this.kept = kept;
      this.at = at;
      this.read = read;
      this.result = result;
    }

    Optional<Event> step() {
      if (pin == 0) {
        if (!room.getAsBoolean()) {
          return Optional.of(WindowResults.done(token, NO_ROOM));
        }
        pin = pins.pin();
      }
      try {
        if (tooOldByNow().isEmpty() && !read.getAsBoolean()) {
          return Optional.empty();
        }
        return ended(tooOldByNow().orElseGet(result));
      } catch (RuntimeException e) {
        return ended(tooOldByNow().orElseGet(() -> WindowResults.failed(e)));
      } catch (Error e) {
        results.deliver(token, new EngineResult.Failed(false, "the engine failed: " + e));
        pins.unpin(pin);
        throw e;
      }
    }

    private Optional<EngineResult> tooOldByNow() {
      return isTooOld(kept.getAsLong(), at);
    }

    private Optional<Event> ended(EngineResult answer) {
      pins.unpin(pin);
      return Optional.of(WindowResults.done(token, answer));
    }
  }

  // Newer versions.

  void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    int seen = 0;
    Optional<KeyVersion> found = newestOf(keys, above);
    for (Iterator<KeyRange> left = intervals.iterator(); found.isEmpty() && left.hasNext(); ) {
      KeyRange interval = left.next();
      for (WindowKey key : window.in(interval, false)) {
        found = newer(key, interval, above);
        if (found.isPresent()) {
          break;
        }
        if (++seen == KEYS_AT_ONCE) {
          newestLater(token, keys, intervals, above);
          return;
        }
      }
    }
    EngineResult result = newest(keys, intervals, above, found);
    tasks.deliver(() -> results.deliver(token, result));
  }

  private void newestLater(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    List<Bytes> askedKeys = List.copyOf(keys);
    List<KeyRange> askedIntervals = List.copyOf(intervals);
    submit(
        token,
        true,
        () -> {
          Optional<KeyVersion> found = newestOf(askedKeys, above);
          for (KeyRange interval : askedIntervals) {
            for (Iterator<WindowKey> each = window.in(interval, false).iterator();
                found.isEmpty() && each.hasNext(); ) {
              found = newer(each.next(), interval, above);
            }
          }
          EngineResult result = newest(askedKeys, askedIntervals, above, found);
          return Optional.of(WindowResults.done(token, result));
        });
  }

  private Optional<KeyVersion> newestOf(List<Bytes> keys, Position above) {
    for (Bytes key : keys) {
      WindowKey there = window.get(key);
      Optional<KeyVersion> found =
          there == null ? Optional.empty() : newer(there, KeyRange.single(key), above);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<KeyVersion> newer(WindowKey key, KeyRange asked, Position above) {
    WindowVersion newest = key.newest();
    return newest != null && newest.version() > above.value()
        ? Optional.of(new KeyVersion(key.key(), asked, new Position(newest.version())))
        : Optional.empty();
  }

  /** The window has every version only above what is kept (rule W1). */
  private EngineResult newest(
      List<Bytes> keys, List<KeyRange> intervals, Position above, Optional<KeyVersion> found) {
    long kept = kept(keys);
    for (KeyRange interval : intervals) {
      kept = Math.max(kept, positions.kept(interval));
    }
    return tooOld(rules.votableFrom(kept), above).orElseGet(() -> new EngineResult.Newer(found));
  }
}
