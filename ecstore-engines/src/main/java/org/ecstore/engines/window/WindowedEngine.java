package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * The {@link org.ecstore.core.port.Engine} over a plain {@link OrderedStore}: a window of versions
 * in memory, below it one row a key. What is applied is in the window at once and readable; a fold
 * brings the newest version of each key at or below a position to the store, and then versions that
 * are read no more leave the window. Paper: none; FoundationDB's storage server works so.
 *
 * <p>Rules, as they are cited:
 *
 * <ul>
 *   <li>W1: how far the store is belongs to an interval of keys. Through <i>folded</i> the store
 *       has every key durably; up to <i>folding</i> rows may be as of; above <i>kept</i> the window
 *       has every version. Nothing is answered below kept, which is looked at when the answer is
 *       there.
 *   <li>W2: folds put and delete blindly, since no row is newer than what is folded.
 *   <li>W5: versions leave the window only after the sync that made them durable in the store, and
 *       after the readers that began before.
 *   <li>W6: a clear takes its interval out of the folds under way, and empties the window there.
 *   <li>W8: a fold goes ahead of what is kept, if it is told to; what the keys were for those who
 *       read below stays in the window.
 *   <li>28: what an operation makes of a key is found when it is read or folded, from the versions
 *       behind it or the row below; a row has in it what is at or below its version.
 * </ul>
 *
 * <p>Who does what: the caller's thread applies, looks for newer versions and reads keys that are
 * in the window ({@link WindowReads}); the readers of {@link WindowTasks} read the store; one
 * thread at a time changes the store, and folds ({@link WindowFolds}), and applies large batches
 * with what is ordered behind them. A batch is readable as a whole when its result is there, and
 * before it any part. Its writes are as durable as the ledger they come from; only its metadata go
 * to the store.
 */
public final class WindowedEngine implements OpenEngine {
  /** By an error, which is thrown on for the log. */
  private static final EngineResult FAILED =
      new EngineResult.Failed(false, "the engine failed, as its log says");

  private final OrderedStore store;
  private final WindowTasks tasks;
  private final WindowRules rules;
  private final WindowResults results;
  private final OffHeapValues values;
  private final VersionWindow window;
  private final FoldPositions positions = new FoldPositions();
  private final WindowFolds folds;
  private final WindowReads reads;
  private final WindowEstimates estimates;

  private volatile long windowBytesMax = Long.MAX_VALUE;

  /** Changes that wait for the store: results of later ones must not come before theirs. */
  private final AtomicInteger waitingChanges = new AtomicInteger();

  /** Those of them that change the window: what is called later must not do so before them. */
  private final AtomicInteger waitingFills = new AtomicInteger();

  /**
   * An engine over a store that is open.
   *
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much
   */
  public WindowedEngine(
      OrderedStore store, WindowTasks tasks, Consumer<Event> sink, BooleanSupplier room) {
    this(store, tasks, sink, room, WindowRules.RIGHT);
  }

  /** With rules that a test may have broken. */
  public WindowedEngine(
      OrderedStore store,
      WindowTasks tasks,
      Consumer<Event> sink,
      BooleanSupplier room,
      WindowRules rules) {
    this(store, tasks, sink, room, rules, ValueSizes.DEFAULT);
  }

  /** The same with other sizes of what is outside the heap. */
  public WindowedEngine(
      OrderedStore store,
      WindowTasks tasks,
      Consumer<Event> sink,
      BooleanSupplier room,
      WindowRules rules,
      ValueSizes sizes) {
    this.store = store;
    this.tasks = tasks;
    this.rules = rules;
    this.results = new WindowResults(sink);
    ReaderPins pins = new ReaderPins();
    this.values = new OffHeapValues(sizes, pins, rules);
    this.window = new VersionWindow(values);
    this.folds = new WindowFolds(store, window, positions, pins, tasks, rules);
    this.reads = new WindowReads(store, window, positions, pins, tasks, rules, results, room);
    this.estimates = new WindowEstimates(store, window, rules);
  }

  @Override
  public EngineTraits profile() {
    return store.profile();
  }

  /** Takes no more, completes what was taken and closes the store. */
  @Override
  public void close() {
    tasks.close();
    store.close();
  }

  /**
   * What a scan of an interval would find at a position, by one look at all of it: for checkers.
   *
   * @param stored what the store has there
   */
  public List<Row> look(KeyRange keys, Position at, List<Row> stored) {
    ScanSpec all = new ScanSpec(keys, at, false, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    return new WindowScan(window, store, all, Integer.MAX_VALUE, rules).over(stored).rows();
  }

  /** How much memory the window should take at most: see {@link #fill}. */
  public void windowBytesMax(long bytes) {
    windowBytesMax = bytes;
    values.bytesMax(bytes);
  }

  @Override
  public long windowBytes() {
    return window.bytes();
  }

  @Override
  public Optional<CacheUse> cacheUse() {
    return store.cacheUse();
  }

  /** Folds that are under way: what they have written may be lost by a crash. */
  public int folding() {
    return folds.running();
  }

  @Override
  public double fill() {
    return (double) window.bytes() / windowBytesMax;
  }

  @Override
  public void restore(KeyRange keys, Position folded, Position folding) {
    positions.change(keys, before -> before.restored(folded.value(), folding.value()));
  }

  // Changes.

  @Override
  public void apply(long token, EngineBatch batch) {
    values.rest();
    boolean isLarge = batch.writes().size() > tasks.writesAtOnce();
    if (isLarge || waitingFills.get() > 0) {
      changeBoth(token, () -> fill(byKey(batch.writes())), () -> note(batch));
      return;
    }
    fill(batch.writes());
    if (batch.metadata().isEmpty()) {
      applied(token);
    } else {
      change(token, () -> note(batch), () -> {});
    }
  }

  /** Searches of keys side by side go the same way: far fewer places of memory are looked at. */
  private static List<VersionedWrite> byKey(List<VersionedWrite> writes) {
    List<VersionedWrite> sorted = new ArrayList<>(writes);
    sorted.sort(Comparator.comparing(VersionedWrite::key));
    return sorted;
  }

  private void fill(List<VersionedWrite> writes) {
    for (VersionedWrite write : writes) {
      // A late one must not bring back a deleted key (W1).
      if (!rules.isFolded(write.version().value(), positions.at(write.key()).folded())) {
        window.put(write);
      }
    }
  }

  private void note(EngineBatch batch) {
    if (!batch.metadata().isEmpty()) {
      store.write(new StoreBatch(List.of(), List.of(), batch.metadata()));
    }
  }

  /** Delivers that a batch is applied, after the changes before it. */
  private void applied(long token) {
    if (waitingChanges.get() == 0) {
      tasks.deliver(() -> results.deliver(token, new EngineResult.Applied()));
    } else {
      change(token, () -> {}, () -> {});
    }
  }

  /**
   * Does a change after those before it, and delivers that it is done.
   *
   * @param refused runs in place of it if too many wait
   */
  private void change(long token, Runnable change, Runnable refused) {
    waitingChanges.incrementAndGet();
    tasks.change(
        () -> changed(token, change),
        () -> {
          refused.run();
          waitingChanges.decrementAndGet();
          refuse(token);
        });
  }

  /** Changes the window, and then the store, after the changes before. */
  private void changeBoth(long token, Runnable ofWindow, Runnable ofStore) {
    waitingFills.incrementAndGet();
    change(
        token,
        () -> {
          try {
            ofWindow.run();
          } finally {
            waitingFills.decrementAndGet();
          }
          ofStore.run();
        },
        waitingFills::decrementAndGet);
  }

  private void changed(long token, Runnable change) {
    EngineResult result = FAILED;
    try {
      change.run();
      result = new EngineResult.Applied();
    } catch (RuntimeException e) {
      result = WindowResults.failed(e);
    } finally {
      waitingChanges.decrementAndGet();
      results.deliver(token, result);
    }
  }

  private void refuse(long token) {
    results.deliver(
        token, new EngineResult.Failed(false, "too many changes wait, or it is closed"));
  }

  @Override
  public void clear(long token, KeyRange keys) {
    if (waitingFills.get() == 0) {
      folds.clear(keys);
      change(token, () -> store.clear(keys), () -> {});
      return;
    }
    changeBoth(token, () -> folds.clear(keys), () -> store.clear(keys));
  }

  @Override
  public void load(long token, List<Row> rows) {
    List<Row> loaded = List.copyOf(rows);
    change(token, () -> store.load(loaded), () -> {});
  }

  @Override
  public void sync(long token) {
    tasks.change(
        () -> {
          EngineResult result = FAILED;
          try {
            store.sync();
            result = new EngineResult.Synced();
          } catch (RuntimeException e) {
            result = WindowResults.failed(e);
          } finally {
            results.deliver(token, result);
          }
        },
        () -> refuse(token));
  }

  @Override
  public void fold(long token, KeyRange keys, Position readable, Position through) {
    folds.begin(
        keys, through, Position.min(readable, through), result -> results.deliver(token, result));
  }

  // Reads.

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    reads.read(token, keys, at, bytesMax);
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    reads.scan(token, spec);
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    reads.newest(token, keys, intervals, above);
  }

  @Override
  public void metadata(long token) {
    reads.estimate(token, () -> new EngineResult.Metadata(store.metadata()));
  }

  @Override
  public List<MetadataEntry> metadataNow() {
    return store.metadata();
  }

  @Override
  public void size(long token, KeyRange keys) {
    reads.estimate(token, () -> estimates.size(keys));
  }

  @Override
  public void middle(long token, KeyRange keys) {
    reads.estimate(token, () -> new EngineResult.Middle(estimates.middle(keys)));
  }
}
