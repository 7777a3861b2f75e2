package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.Iterator;
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
      running.forEach(fold -> fold.exclude(keys));
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
    if (walking.isPresent()) {
      guarded(walking.get(), () -> walk(walking.get()));
    } else if (walked.isPresent()) {
      syncAll();
    } else {
      dropping.ifPresent(this::drop);
    }
    goOn();
  }

  private void guarded(RunningFold fold, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      synchronized (running) {
        running.remove(fold);
      }
      fold.fail(WindowResults.failed(e));
    }
  }

  // To the store.

  private void walk(RunningFold fold) {
    List<WindowKey> keys;
    synchronized (running) {
      keys = fold.next(window, tasks.foldKeys());
    }
    List<VersionedWrite> writes = writes(fold, keys);
    keepBefore(fold, writes);
    write(writes);
    synchronized (running) {
      if (fold.isWalked()) {
        fold.enter(Phase.WALKED);
      }
    }
  }

  /** What of some keys the store has not got yet. */
  private List<VersionedWrite> writes(RunningFold fold, List<WindowKey> keys) {
    List<VersionedWrite> writes = new ArrayList<>();
    for (WindowKey each : keys) {
      WindowVersion version = each.atOrBelow(fold.through());
      if (version != null && version.version() > positions.at(each.key()).folded()) {
        writes.add(
            new VersionedWrite(each.key(), new Position(version.version()), version.value()));
      }
    }
    return writes;
  }

  /** W8: before a key is written ahead of its readers, the window has what it was for them. */
  private void keepBefore(RunningFold fold, List<VersionedWrite> writes) {
    List<Bytes> ahead = writes.stream().filter(this::isAhead).map(VersionedWrite::key).toList();
    if (ahead.isEmpty()) {
      return;
    }
    Iterator<Optional<Row>> rows = store.get(ahead, Integer.MAX_VALUE).iterator();
    synchronized (running) {
      for (Bytes key : ahead) {
        Optional<VersionedWrite> before = rules.before(key, rows.next());
        if (fold.contains(key)) {
          before.ifPresent(window::put);
        }
      }
    }
  }

  private boolean isAhead(VersionedWrite write) {
    long kept = positions.at(write.key()).kept();
    WindowKey there = window.get(write.key());
    return write.version().value() > kept && (there == null || there.atOrBelow(kept) == null);
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
      if (unsynced) {
        store.sync();
        unsynced = false;
      }
    } catch (RuntimeException e) {
      synchronized (running) {
        running.removeAll(walked);
      }
      walked.forEach(fold -> fold.fail(WindowResults.failed(e)));
      return;
    }
    walked.forEach(this::durable);
  }

  // From the window.

  private void durable(RunningFold fold) {
    synchronized (running) {
      for (KeyRange keys : fold.intervals()) {
        positions.change(keys, before -> before.ended(fold.through()));
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
   * have a newer one, all but the one that is read at kept.
   */
  private void drop(RunningFold fold, WindowKey key) {
    Fold at = positions.at(key.key());
    WindowVersion last = key.atOrBelow(Math.min(at.kept(), at.folded()));
    if (last == null) {
      return;
    }
    boolean isStored = key.atOrBelow(at.folding()) == last;
    if (isStored || last.older() != null) {
      window.dropThrough(key, isStored ? last.version() : last.version() - 1);
      fold.dropped();
    }
  }
}
