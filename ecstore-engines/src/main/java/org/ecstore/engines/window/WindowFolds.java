package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.window.FoldPositions.Fold;
import org.ecstore.engines.window.RunningFold.Phase;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * Brings versions from the window to the store. Folds are done one after the other in steps of a
 * few keys; those that have walked the window share one sync, and then drop what is not needed.
 *
 * <p>A fold may go ahead of what is still read (rule W8): no reader keeps a version from becoming
 * durable. Of each key that it writes above the lowest position that is read, what the key was
 * there is put in the window first: a row that was in the store, or that it was absent. A reader
 * that finds nothing of the key in the window has looked at the store before that, or finds it as
 * it was.
 */
final class WindowFolds {
  /** Rows of the store that are held at once, about: a step may have large ones. */
  private static final int ROW_BYTES_AT_ONCE = 4 << 20;

  private final OrderedStore store;
  private final VersionWindow window;
  private final FoldPositions positions;
  private final ReaderPins pins;
  private final WindowTasks tasks;
  private final WindowRules rules;

  /** Those that may still write or take versions away, in their order. Guarded by itself. */
  private final List<RunningFold> running = new ArrayList<>();

  /** A step is on its way. Guarded by the folds. */
  private boolean stepping;

  /** Whether rows were written that no sync has made durable since; by steps alone. */
  private boolean unsynced;

  WindowFolds(
      OrderedStore store,
      VersionWindow window,
      FoldPositions positions,
      ReaderPins pins,
      WindowTasks tasks,
      WindowRules rules) {
    this.store = store;
    this.window = window;
    this.positions = positions;
    this.pins = pins;
    this.tasks = tasks;
    this.rules = rules;
  }

  /**
   * Folds an interval: all commits through there must have been applied.
   *
   * @param readable at or below through: nothing below it is read any more
   * @param done gets the result when the store has it durably
   */
  void begin(KeyRange keys, Position through, Position readable, Consumer<EngineResult> done) {
    Optional<EngineResult> refusal = Optional.empty();
    synchronized (running) {
      boolean isFolded = positions.folded(keys) >= through.value();
      boolean drops = positions.kept(keys) < readable.value();
      long folding = positions.folding(keys);
      if (isFolded && !drops) {
        refusal = Optional.of(new EngineResult.Folded(0));
      } else if (!isFolded && rules.isBehind(through.value(), folding)) {
        refusal = Optional.of(new EngineResult.TooOld(new Position(folding)));
      } else {
        positions.change(keys, before -> before.begun(through.value(), readable.value()));
        Phase first = isFolded ? Phase.WALKED : Phase.WALKING;
        running.add(new RunningFold(keys, through.value(), first, done));
        goOn();
      }
    }
    refusal.ifPresent(result -> tasks.deliver(() -> done.accept(result)));
  }

  /** Takes an interval out of the folds under way, and empties the window there. */
  void clear(KeyRange keys) {
    synchronized (running) {
      window.clears();
      if (rules.leavesFolds(keys)) {
        running.forEach(fold -> fold.exclude(keys));
      }
      for (WindowKey key : window.in(keys, false)) {
        window.dropThrough(key, Long.MAX_VALUE);
      }
      positions.change(keys, before -> Fold.NONE);
    }
  }

  int running() {
    synchronized (running) {
      return running.size();
    }
  }

  private Optional<RunningFold> firstIn(Phase phase) {
    return running.stream().filter(fold -> fold.phase() == phase).findFirst();
  }

  /** Has another step done, if there is anything to do. */
  private void goOn() {
    synchronized (running) {
      if (!stepping && running.stream().anyMatch(fold -> fold.phase() != Phase.DURABLE)) {
        stepping = true;
        tasks.fold(this::step);
      }
    }
  }

  private void step() {
    Optional<RunningFold> walking;
    Optional<RunningFold> walked;
    Optional<RunningFold> dropping;
    synchronized (running) {
      stepping = false;
      walking = firstIn(Phase.WALKING);
      walked = firstIn(Phase.WALKED);
      dropping = firstIn(Phase.DROPPING);
    }
    try {
      if (walking.isPresent()) {
        guarded(walking.get(), () -> walk(walking.get()));
      } else if (walked.isPresent()) {
        syncAll();
      } else {
        dropping.ifPresent(fold -> orFailed(List.of(fold), () -> drop(fold)));
      }
    } catch (Error e) {
      goOn(); // The folds that are left.
      throw e;
    }
    goOn();
  }

  private void guarded(RunningFold fold, Runnable work) {
    try {
      orFailed(List.of(fold), work);
    } catch (RuntimeException e) {
      fail(List.of(fold), WindowResults.failed(e));
    }
  }

  /**
   * Does a part of some folds. None goes on behind an error: the keys that the part had taken would
   * be left out.
   */
  private void orFailed(List<RunningFold> folds, Runnable part) {
    try {
      part.run();
    } catch (Error e) {
      fail(folds, WindowResults.failed(e));
      throw e;
    }
  }

  /** Ends those that are under way. */
  private void fail(List<RunningFold> folds, EngineResult why) {
    List<RunningFold> ended;
    synchronized (running) {
      ended = folds.stream().filter(running::remove).toList();
    }
    ended.forEach(fold -> fold.fail(why));
  }

  // To the store.

  /** With a pin: a clear may take the versions away meanwhile that it reads. */
  private void walk(RunningFold fold) {
    long pin = pins.pin();
    try {
      pinnedWalk(fold);
    } finally {
      pins.unpin(pin);
    }
  }

  private void pinnedWalk(RunningFold fold) {
    List<WindowKey> keys;
    synchronized (running) {
      keys = fold.next(window, tasks.foldKeys());
    }
    List<WindowKey> open = new ArrayList<>();
    bring(fold, known(fold, keys, open));
    while (!open.isEmpty()) {
      long cleared = window.cleared();
      List<Optional<Row>> rows = store.get(keysOf(open), ROW_BYTES_AT_ONCE);
      bring(fold, operated(fold, open, rows, cleared));
      open = open.subList(rows.size(), open.size());
    }
    synchronized (running) {
      if (fold.isWalked()) {
        fold.enter(Phase.WALKED);
      }
    }
  }

  private void bring(RunningFold fold, List<VersionedWrite> writes) {
    keepBefore(fold, writes);
    write(writes);
  }

  private static List<Bytes> keysOf(List<WindowKey> keys) {
    return keys.stream().map(WindowKey::key).toList();
  }

  /**
   * What of some keys the store has not got yet, as far as the window tells it.
   *
   * @param open gets the other keys
   */
  private List<VersionedWrite> known(RunningFold fold, List<WindowKey> keys, List<WindowKey> open) {
    List<VersionedWrite> writes = new ArrayList<>();
    for (WindowKey each : keys) {
      WindowVersion version = each.atOrBelow(fold.through());
      if (version != null && version.version() > positions.at(each.key()).folded()) {
        if (version.isKnown()) {
          writes.add(write(each, version, version.value()));
        } else {
          open.add(each);
        }
      }
    }
    return writes;
  }

  private static VersionedWrite write(WindowKey key, WindowVersion version, Optional<Bytes> value) {
    return new VersionedWrite(key.key(), new Position(version.version()), value);
  }

  /** Rule 28: what operations make of rows of the store, of which there are the first ones. */
  private List<VersionedWrite> operated(
      RunningFold fold, List<WindowKey> keys, List<Optional<Row>> rows, long cleared) {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      WindowVersion version = keys.get(i).atOrBelow(fold.through());
      if (version != null) {
        WindowValue value = WindowValue.of(version);
        Optional<Row> row =
            value.isWithinWindow()
                ? Optional.empty()
                : rules.readable(rows.get(i), new Position(fold.through()));
        writes.add(
            write(
                keys.get(i),
                version,
                value.over(row, rules::isTakenIn, window.cleared() == cleared)));
      }
    }
    return writes;
  }

  /** W8: before a key is written ahead of its readers, the window has what it was for them. */
  private void keepBefore(RunningFold fold, List<VersionedWrite> writes) {
    List<Bytes> ahead = writes.stream().filter(this::isAhead).map(VersionedWrite::key).toList();
    while (!ahead.isEmpty()) {
      List<Optional<Row>> rows = store.get(ahead, ROW_BYTES_AT_ONCE);
      synchronized (running) {
        for (int i = 0; i < rows.size(); i++) {
          Optional<VersionedWrite> before = rules.before(ahead.get(i), rows.get(i));
          if (fold.contains(ahead.get(i))) {
            before.ifPresent(window::put);
          }
        }
      }
      ahead = ahead.subList(rows.size(), ahead.size());
    }
  }

  private boolean isAhead(VersionedWrite write) {
    long kept = positions.at(write.key()).kept();
    WindowKey there = window.get(write.key());
    WindowVersion last = there == null ? null : there.atOrBelow(kept);
    return write.version().value() > kept
        && !rules.hasBase(last != null, last != null && WindowValue.of(last).isWithinWindow());
  }

  private void write(List<VersionedWrite> writes) {
    List<Row> puts = new ArrayList<>();
    List<Bytes> deletes = new ArrayList<>();
    for (VersionedWrite write : writes) {
      write
          .value()
          .ifPresentOrElse(
              value -> puts.add(new Row(write.key(), write.version(), value)),
              () -> deletes.add(write.key()));
    }
    if (!writes.isEmpty()) {
      unsynced = true;
      store.write(new StoreBatch(puts, deletes, List.of()));
    }
  }

  /** One sync for all that have come so far. */
  private void syncAll() {
    List<RunningFold> walked;
    synchronized (running) {
      walked = running.stream().filter(fold -> fold.phase() == Phase.WALKED).toList();
    }
    try {
      orFailed(walked, () -> rules.beforeLeaving(this::sync));
    } catch (RuntimeException e) {
      fail(walked, WindowResults.failed(e));
      return;
    }
    walked.forEach(fold -> orFailed(List.of(fold), () -> durable(fold)));
  }

  private void sync() {
    if (unsynced) {
      store.sync();
      unsynced = false;
    }
  }

  // From the window.

  private void durable(RunningFold fold) {
    synchronized (running) {
      for (KeyRange keys : fold.intervals()) {
        positions.change(rules.reach(keys), before -> before.ended(fold.through()));
      }
      fold.enter(Phase.DURABLE);
    }
    rules.afterReaders(
        pins::afterThoseOfNow,
        () -> {
          synchronized (running) {
            fold.enter(Phase.DROPPING);
          }
          goOn();
        });
  }

  private void drop(RunningFold fold) {
    boolean isOver;
    synchronized (running) {
      for (WindowKey key : fold.next(window, tasks.foldKeys())) {
        drop(fold, key);
      }
      isOver = fold.isWalked();
      if (isOver) {
        running.remove(fold);
      }
    }
    if (isOver) {
      fold.end();
    }
  }

  /**
   * Versions leave that no position from kept on needs: all that the store has, or, where it may
   * have a newer one, all but the one that is read at kept. What that one made of the key stays.
   */
  private void drop(RunningFold fold, WindowKey key) {
    Fold at = positions.at(key.key());
    WindowVersion last = key.atOrBelow(Math.min(at.kept(), at.folded()));
    if (last == null) {
      return;
    }
    boolean isStored = key.atOrBelow(at.folding()) == last;
    if (isStored) {
      window.dropThrough(key, last.version());
      fold.dropped();
    } else if (last.older() != null) {
      dropBehind(key, last);
      fold.dropped();
    }
  }

  /**
   * What an operation at or below folded made of the key is in the window, or else in the row. Of a
   * list it is not made here, where others wait for it: its versions go with the next fold.
   */
  private void dropBehind(WindowKey key, WindowVersion last) {
    WindowValue value = WindowValue.of(last);
    if (!last.isOperation() || !value.isWithinWindow()) {
      window.dropThrough(key, last.version() - 1);
    } else if (last.isNumeric()) {
      window.settle(key, last, value.value());
    }
  }
}
