package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineProfile;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.EngineResult.KeyVersion;
import org.ecstore.core.port.Event;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreException;
import org.ecstore.engines.window.FoldPositions.Fold;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * The {@link Engine} over a plain {@link OrderedStore}: a window of versions in memory, below it
 * one row a key. What is applied is in the window at once and readable; a fold brings the newest
 * version of each key at or below a position to the store, and then these versions leave the
 * window. Paper: none; FoundationDB's storage server works so.
 *
 * <p>Rules, as they are cited:
 *
 * <ul>
 *   <li>W1: how far the store is belongs to an interval of keys. Through <i>folded</i> the store
 *       has every key durably; up to <i>folding</i> rows may be as of. Nothing is answered below
 *       folding, which is looked at when the answer is there.
 *   <li>W2: folds put and delete blindly, since no row is newer than what is folded.
 *   <li>W5: versions leave the window only after the sync that made them durable in the store, and
 *       after the readers that began before.
 *   <li>W6: a clear takes its interval out of the folds under way, and empties the window there.
 * </ul>
 *
 * <p>Who does what: the caller's thread applies, looks for newer versions and reads keys that are
 * in the window; the readers of {@link WindowTasks} read the store; one thread at a time changes
 * the store. A batch is readable as a whole when its result is there, and before it any part. Its
 * writes are as durable as the ledger they come from; only its metadata go to the store.
 */
public final class WindowedEngine implements Engine {
  /** Keys of an interval that are looked at on the caller's thread. */
  private static final int KEYS_AT_ONCE = 256;

  private static final int KEYS_OF_SHORT = 64;
  private static final int RECORDS_OF_SHORT = 128;

  /** Up to so many keys the size and the middle of an interval are exact. */
  private static final int EXACT_KEYS = 4_096;

  /** Keys of the window of which the store is asked whether it has them. */
  private static final int SAMPLED_KEYS = 64;

  private final OrderedStore store;
  private final WindowTasks tasks;
  private final Consumer<Event> sink;
  private final BooleanSupplier room;
  private final VersionWindow window = new VersionWindow();
  private final FoldPositions folds = new FoldPositions();
  private final ReaderPins pins = new ReaderPins();

  /** Changes that wait for the store: results of later ones must not come before theirs. */
  private final AtomicInteger waitingChanges = new AtomicInteger();

  /** Folds that may still write or take versions away. Guarded by itself. */
  private final List<RunningFold> running = new ArrayList<>();

  /**
   * An engine over a store that is open.
   *
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much
   */
  public WindowedEngine(
      OrderedStore store, WindowTasks tasks, Consumer<Event> sink, BooleanSupplier room) {
    this.store = store;
    this.tasks = tasks;
    this.sink = sink;
    this.room = room;
  }

  @Override
  public EngineProfile profile() {
    return store.profile();
  }

  /** Takes no more, completes what was taken and closes the store. */
  public void close() {
    tasks.close();
    store.close();
  }

  /** About how much memory the window takes. */
  public long windowBytes() {
    return window.bytes();
  }

  /**
   * Says how far the store is in an interval, as the notes of a restarted node have it (rules W1,
   * W3).
   *
   * @param folded through which position it has all of it
   * @param folding at or above: the highest position as of which a row may be
   */
  public void restore(KeyRange keys, Position folded, Position folding) {
    Fold fold = new Fold(folded.value(), Position.max(folded, folding).value());
    folds.change(keys, before -> fold);
  }

  private void deliver(long token, EngineResult result) {
    sink.accept(done(token, result));
  }

  private static Event done(long token, EngineResult result) {
    return new Event.EngineDone(token, result);
  }

  private void submit(long token, boolean isLong, WindowTasks.Steps read) {
    EngineResult refusal = new EngineResult.Overloaded("too many reads wait in the engine");
    if (!tasks.read(isLong, read, () -> done(token, refusal))) {
      deliver(token, refusal);
    }
  }

  private static EngineResult.Failed failed(StoreException e) {
    return new EngineResult.Failed(
        e.reason() == StoreException.Reason.NO_ROOM, String.valueOf(e.getMessage()));
  }

  private static EngineResult.Failed failed(RuntimeException e) {
    return e instanceof StoreException known
        ? failed(known)
        : new EngineResult.Failed(false, "the engine failed: " + e);
  }

  // Changes.

  @Override
  public void apply(long token, EngineBatch batch) {
    for (VersionedWrite write : batch.writes()) {
      if (isAboveFolded(write)) {
        window.put(write);
      }
    }
    if (batch.metadata().isEmpty()) {
      inOrder(token, Optional.empty());
    } else {
      StoreBatch notes = new StoreBatch(List.of(), List.of(), batch.metadata());
      inOrder(token, Optional.of(() -> store.write(notes)));
    }
  }

  /** Writes at or below folded are dropped: a late one must not bring back a deleted key (W1). */
  private boolean isAboveFolded(VersionedWrite write) {
    return write.version().value() > folds.folded(write.key());
  }

  /** Delivers that a change is done, after the changes before it. */
  private void inOrder(long token, Optional<Runnable> change) {
    if (change.isEmpty() && waitingChanges.get() == 0) {
      tasks.deliver(() -> deliver(token, new EngineResult.Applied()));
      return;
    }
    waitingChanges.incrementAndGet();
    tasks.change(
        () -> {
          EngineResult result = changed(change);
          waitingChanges.decrementAndGet();
          deliver(token, result);
        },
        () -> {
          waitingChanges.decrementAndGet();
          refuse(token);
        });
  }

  private static EngineResult changed(Optional<Runnable> change) {
    try {
      change.ifPresent(Runnable::run);
      return new EngineResult.Applied();
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private void refuse(long token) {
    deliver(token, new EngineResult.Failed(false, "too many changes wait, or it is closed"));
  }

  @Override
  public void clear(long token, KeyRange keys) {
    synchronized (running) {
      running.forEach(fold -> fold.exclude(keys));
      for (WindowKey key : window.in(keys, false)) {
        window.dropThrough(key, Long.MAX_VALUE);
      }
      folds.change(keys, before -> Fold.NONE);
    }
    inOrder(token, Optional.of(() -> store.clear(keys)));
  }

  /** Puts rows that were transferred into the store, and not into the window (rule W6). */
  public void load(long token, List<Row> rows) {
    List<Row> loaded = List.copyOf(rows);
    inOrder(token, Optional.of(() -> store.load(loaded)));
  }

  @Override
  public void sync(long token) {
    tasks.change(
        () -> {
          EngineResult result;
          try {
            store.sync();
            result = new EngineResult.Synced();
          } catch (RuntimeException e) {
            result = failed(e);
          }
          deliver(token, result);
        },
        () -> refuse(token));
  }

  // Folds.

  /**
   * Folds an interval through the lesser of both floors: all commits up to there must have been
   * applied, and nothing below it may be read any more. The result comes when the store has it
   * durably.
   */
  @Override
  public void prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) {
    RunningFold fold = new RunningFold(keys, Position.min(floor, tombstoneFloor));
    synchronized (running) {
      if (!mayBegin(fold, keys)) {
        tasks.deliver(() -> deliver(token, new EngineResult.Pruned(0, Optional.empty())));
        return;
      }
      running.add(fold);
      folds.change(keys, before -> new Fold(before.folded(), fold.target().value()));
    }
    new FoldSteps(token, fold).goOn();
  }

  /**
   * No fold goes back behind one before, nor behind what a crash may have left half done: it would
   * put older rows in the place of newer ones (rules W1, W2).
   */
  private boolean mayBegin(RunningFold fold, KeyRange keys) {
    long target = fold.target().value();
    return target > folds.folded(keys) && target >= folds.folding(keys);
  }

  /** A fold on its way: walks the window, syncs, and then takes from the window what it brought. */
  private final class FoldSteps {
    private final long token;
    private final RunningFold fold;
    private int left;

    FoldSteps(long token, RunningFold fold) {
      this.token = token;
      this.fold = fold;
    }

    void goOn() {
      tasks.fold(this::step);
    }

    private void step() {
      try {
        List<WindowKey> keys;
        synchronized (running) {
          keys = fold.next(window, tasks.foldKeys());
        }
        StoreBatch batch = fold.batch(keys);
        if (!batch.puts().isEmpty() || !batch.deletes().isEmpty()) {
          store.write(batch);
        }
        if (!fold.isWalked()) {
          goOn();
          return;
        }
        store.sync();
      } catch (RuntimeException e) {
        synchronized (running) {
          running.remove(fold);
        }
        deliver(token, failed(e));
        return;
      }
      folded();
    }

    private void folded() {
      synchronized (running) {
        for (KeyRange keys : fold.intervals()) {
          folds.change(
              keys,
              before ->
                  new Fold(Math.max(before.folded(), fold.target().value()), before.folding()));
        }
        fold.rewind();
      }
      pins.afterThoseOfNow(() -> tasks.fold(this::drop));
    }

    private void drop() {
      synchronized (running) {
        for (WindowKey key : fold.next(window, tasks.foldKeys())) {
          WindowVersion newest = key.newest();
          if (newest != null && key.atOrBelow(fold.target().value()) != null) {
            window.dropThrough(key, fold.target().value());
            left++;
          }
        }
        if (fold.isWalked()) {
          running.remove(fold);
        }
      }
      if (!fold.isWalked()) {
        tasks.fold(this::drop);
      } else {
        deliver(token, new EngineResult.Pruned(left, Optional.empty()));
      }
    }
  }

  // Reads.

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    Optional<EngineResult> atOnce = fromWindow(keys, at, bytesMax);
    if (atOnce.isPresent()) {
      tasks.deliver(() -> deliver(token, atOnce.get()));
      return;
    }
    List<Bytes> asked = List.copyOf(keys);
    answer(
        token,
        asked.size() > KEYS_OF_SHORT,
        () -> foldingOf(asked),
        at,
        () -> fromBoth(asked, at, bytesMax));
  }

  private long foldingOf(List<Bytes> keys) {
    long folding = Fold.NOTHING;
    for (Bytes key : keys) {
      folding = Math.max(folding, folds.folding(key));
    }
    return folding;
  }

  /** That it is too old, if folding has come above a position. */
  private static Optional<EngineResult> tooOld(long folding, Position at) {
    return folding > at.value()
        ? Optional.of(new EngineResult.TooOld(new Position(folding)))
        : Optional.empty();
  }

  /** The answer, if the window has all that was asked for. */
  private Optional<EngineResult> fromWindow(List<Bytes> keys, Position at, int bytesMax) {
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    long bytes = 0;
    for (Bytes key : keys) {
      WindowKey there = window.get(key);
      WindowVersion version = there == null ? null : there.atOrBelow(at.value());
      if (version == null) {
        return Optional.empty();
      }
      bytes += add(rows, row(key, version));
      if (bytes >= bytesMax) {
        break;
      }
    }
    return Optional.of(tooOld(foldingOf(keys), at).orElseGet(() -> new EngineResult.Found(rows)));
  }

  private static Optional<Row> row(Bytes key, WindowVersion version) {
    return version.value().map(value -> new Row(key, new Position(version.version()), value));
  }

  private static long add(List<Optional<Row>> rows, Optional<Row> row) {
    rows.add(row);
    return row.map(found -> (long) found.key().length() + found.value().length()).orElse(0L);
  }

  private EngineResult fromBoth(List<Bytes> keys, Position at, int bytesMax) {
    List<Optional<WindowVersion>> above = new ArrayList<>(keys.size());
    List<Bytes> missing = new ArrayList<>();
    for (Bytes key : keys) {
      WindowKey there = window.get(key);
      WindowVersion version = there == null ? null : there.atOrBelow(at.value());
      above.add(Optional.ofNullable(version));
      if (version == null) {
        missing.add(key);
      }
    }
    Iterator<Optional<Row>> below = store.get(missing, bytesMax).iterator();
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    long bytes = 0;
    for (int i = 0; i < keys.size() && bytes < bytesMax; i++) {
      Bytes key = keys.get(i);
      bytes +=
          add(
              rows,
              above.get(i).isPresent()
                  ? row(key, above.get(i).get())
                  : WindowScan.readable(below.next(), at));
    }
    return new EngineResult.Found(rows);
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    WindowScan scan = new WindowScan(window, store, spec, tasks.pageRows());
    inSteps(
        token,
        spec.recordsMax() > RECORDS_OF_SHORT,
        () -> folds.folding(spec.interval()),
        spec.at(),
        scan::step,
        scan::result);
  }

  /** Answers by one look. */
  private void answer(
      long token, boolean isLong, LongSupplier folding, Position at, Supplier<EngineResult> read) {
    List<EngineResult> results = new ArrayList<>(1);
    inSteps(token, isLong, folding, at, () -> results.add(read.get()), results::getFirst);
  }

  /**
   * Answers a read at a position, with the window pinned from before the first look to after the
   * last; and not below folding, at its end as at its beginning (rules W1, W5).
   */
  private void inSteps(
      long token,
      boolean isLong,
      LongSupplier folding,
      Position at,
      BooleanSupplier read,
      Supplier<EngineResult> result) {
    submit(token, isLong, new PinnedRead(token, folding, at, read, result)::step);
  }

  /** A read on its way. */
  private final class PinnedRead {
    private final long token;
    private final LongSupplier folding;
    private final Position at;
    private final BooleanSupplier read;
    private final Supplier<EngineResult> result;
    private long pin;

    PinnedRead(
        long token,
        LongSupplier folding,
        Position at,
        BooleanSupplier read,
        Supplier<EngineResult> result) {
      this.token = token;
      this.folding = folding;
      this.at = at;
      this.read = read;
      this.result = result;
    }

    Optional<Event> step() {
      if (pin == 0) {
        if (!room.getAsBoolean()) {
          return Optional.of(
              done(
                  token,
                  new EngineResult.Overloaded(
                      "what was read before waits for those who asked for it")));
        }
        pin = pins.pin();
      }
      try {
        if (tooOld().isEmpty() && !read.getAsBoolean()) {
          return Optional.empty();
        }
        return ended(tooOld().orElseGet(result));
      } catch (RuntimeException e) {
        return ended(tooOld().orElseGet(() -> failed(e)));
      } catch (Error e) {
        deliver(token, new EngineResult.Failed(false, "the engine failed: " + e));
        pins.unpin(pin);
        throw e;
      }
    }

    private Optional<EngineResult> tooOld() {
      return WindowedEngine.tooOld(folding.getAsLong(), at);
    }

    private Optional<Event> ended(EngineResult answer) {
      pins.unpin(pin);
      return Optional.of(done(token, answer));
    }
  }

  // Newer versions.

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
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
    tasks.deliver(() -> deliver(token, result));
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
          return Optional.of(done(token, newest(askedKeys, askedIntervals, above, found)));
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

  /** The window knows only what is above folding (rule W1). */
  private EngineResult newest(
      List<Bytes> keys, List<KeyRange> intervals, Position above, Optional<KeyVersion> found) {
    long folding = foldingOf(keys);
    for (KeyRange interval : intervals) {
      folding = Math.max(folding, folds.folding(interval));
    }
    return tooOld(folding, above).orElseGet(() -> new EngineResult.Newer(found));
  }

  // Metadata and estimates.

  @Override
  public void metadata(long token) {
    estimate(token, () -> new EngineResult.Metadata(store.metadata()));
  }

  /** All metadata. Blocks. */
  public List<MetadataEntry> metadataNow() {
    return store.metadata();
  }

  private void estimate(long token, Supplier<EngineResult> estimate) {
    answer(token, true, () -> Fold.NOTHING, Position.ZERO, estimate);
  }

  @Override
  public void size(long token, KeyRange keys) {
    estimate(token, () -> sizeOf(keys));
  }

  /** Everything there is, if that is not much. */
  private Optional<List<Row>> few(KeyRange keys, boolean keysOnly) {
    WindowScan scan =
        new WindowScan(
            window,
            store,
            new ScanSpec(
                keys, new Position(Long.MAX_VALUE), false, EXACT_KEYS, Integer.MAX_VALUE, keysOnly),
            EXACT_KEYS);
    EngineResult.Rows rows = scan.whole();
    return rows.complete() ? Optional.of(rows.rows()) : Optional.empty();
  }

  /**
   * What the store has, and of the window what it has not: of some keys the store is asked, and of
   * all a part is taken that is as large as of these.
   */
  private EngineResult sizeOf(KeyRange keys) {
    EngineResult.Size below = store.size(keys);
    if (below.records() <= EXACT_KEYS) {
      Optional<List<Row>> few = few(keys, false);
      if (few.isPresent()) {
        return new EngineResult.Size(
            few.get().size(),
            few.get().stream().mapToLong(row -> row.key().length() + row.value().length()).sum());
      }
    }
    Delta delta = delta(keys);
    return new EngineResult.Size(
        Math.max(0, below.records() + Math.round(delta.records())),
        Math.max(0, below.bytes() + Math.round(delta.bytes())));
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
      Optional<Row> now = newest == null ? below : row(key.key(), newest);
      records += (now.isPresent() ? 1 : 0) - (below.isPresent() ? 1 : 0);
      bytes += bytes(now) - bytes(below);
      sampled++;
    }
    double each = sampled == 0 ? 0 : (double) all.size() / sampled;
    return new Delta(records * each, bytes * each);
  }

  private static double bytes(Optional<Row> row) {
    return row.map(found -> found.key().length() + found.value().length()).orElse(0);
  }

  @Override
  public void middle(long token, KeyRange keys) {
    estimate(token, () -> new EngineResult.Middle(middleOf(keys)));
  }

  /** That of the store, or of the window if it has more, kept between the first and last key. */
  private Optional<Bytes> middleOf(KeyRange keys) {
    Optional<List<Row>> few = few(keys, true);
    if (few.isPresent()) {
      List<Row> rows = few.get();
      return rows.size() < 2 ? Optional.empty() : Optional.of(rows.get(rows.size() / 2).key());
    }
    List<Bytes> above = new ArrayList<>();
    for (WindowKey key : window.in(keys, false)) {
      WindowVersion newest = key.newest();
      if (newest != null && newest.kind() == WindowVersion.Kind.PUT) {
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
            window,
            store,
            new ScanSpec(keys, new Position(Long.MAX_VALUE), reverse, 2, Integer.MAX_VALUE, true),
            2);
    return scan.whole().rows();
  }
}
