package org.ecstore.engines.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.ecstore.check.Check;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * An {@link Engine} in memory on a {@link MemoryDisk}. It promises what the port promises and,
 * where the port leaves it free, behaves as badly as a real engine might: it completes late and out
 * of the caller's step; reads overtake batches, take their snapshot when submitted or when
 * completed, and see a random part of the batches in flight; and of {@link #inSteps some calls},
 * reads look several times, and prunes and clears become visible bit by bit. Deterministic: all
 * chance comes from the generators and from the order in which {@link Completions} run. No threads:
 * calls and completions must take turns.
 */
public class MemoryEngine implements Engine, AutoCloseable {
  private static final EngineTraits PROFILE = new EngineTraits("memory", true, true, true, true);
  private static final int PRUNE_VERSIONS_MAX = 512;
  private static final int PRUNE_KEYS_MAX = 4096;

  /** A batch or a clear that has no result yet. */
  private record Pending(
      long token,
      Optional<EngineBatch> batch,
      Optional<KeyRange> clears,
      Consumer<MemoryDisk> change) {}

  private final MemoryDisk disk;
  private final RandomGenerator random;
  private final Completions completions;
  private final Consumer<Event> sink;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private boolean open = true;
  private BooleanSupplier overloaded = () -> false;
  private Steps steps;
  private int pruneVersionsMax = PRUNE_VERSIONS_MAX;
  private int pruneKeysMax = PRUNE_KEYS_MAX;

  /** An engine on a disk that carries none; {@link #open} is the way to one. */
  protected MemoryEngine(
      MemoryDisk disk, RandomGenerator random, Completions completions, Consumer<Event> sink) {
    this.disk = disk;
    this.random = random;
    this.completions = completions;
    this.sink = sink;
    this.steps = new Steps(random, 0, completions);
  }

  /**
   * Opens an engine on a disk that carries none.
   *
   * @param sink gets every result, within a completion
   */
  public static MemoryEngine open(
      MemoryDisk disk, RandomGenerator random, Completions completions, Consumer<Event> sink) {
    return opened(new MemoryEngine(disk, random, completions, sink));
  }

  /** Puts an engine on its disk. */
  protected static <T extends MemoryEngine> T opened(T engine) {
    MemoryEngine self = engine;
    self.disk.attach(self);
    return engine;
  }

  /** From now on refuses those reads of which this says that they are too many. */
  public void overload(BooleanSupplier tooMany) {
    overloaded = tooMany;
  }

  /** From now on some calls go in steps. */
  public void inSteps(Steps some) {
    steps = some;
  }

  /** Ends the engine; what was applied stays, calls in flight have no result. */
  @Override
  public void close() {
    if (open) {
      detach();
      disk.detach(this);
    }
  }

  /** The disk has crashed. */
  void detach() {
    open = false;
    pending.clear();
  }

  /** Batches and clears in flight, in order: a crash may keep some. */
  List<Consumer<MemoryDisk>> pendingChanges() {
    return pending.stream().map(Pending::change).toList();
  }

  @Override
  public EngineTraits profile() {
    return PROFILE;
  }

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    List<Bytes> asked = List.copyOf(keys);
    answer(
        token,
        () -> new ReadWalk(asked, at, bytesMax, asked::size).whole(disk.versions()),
        Optional.of(() -> new ReadWalk(asked, at, bytesMax, steps::length)));
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    answer(token, () -> disk.versions().scan(spec), Optional.of(() -> walk(spec, steps)));
  }

  /** How a scan goes that looks several times. */
  protected Walk walk(ScanSpec spec, Steps in) {
    return new ScanWalk(spec, in);
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    List<Bytes> askedKeys = List.copyOf(keys);
    List<KeyRange> askedIntervals = List.copyOf(intervals);
    answer(
        token,
        () -> new EngineResult.Newer(disk.versions().newest(askedKeys, askedIntervals, above)),
        Optional.of(() -> new NewestWalk(askedKeys, askedIntervals, above, steps)));
  }

  @Override
  public void middle(long token, KeyRange keys) {
    answer(token, () -> new EngineResult.Middle(disk.versions().middle(keys)), Optional.empty());
  }

  @Override
  public void size(long token, KeyRange keys) {
    answer(token, () -> disk.versions().size(keys), Optional.empty());
  }

  @Override
  public void metadata(long token) {
    complete(token, () -> new EngineResult.Metadata(disk.metadata()));
  }

  @Override
  public void apply(long token, EngineBatch batch) {
    change(new Pending(token, Optional.of(batch), Optional.empty(), on -> on.apply(batch)));
  }

  @Override
  public void clear(long token, KeyRange keys) {
    change(new Pending(token, Optional.empty(), Optional.of(keys), on -> on.clear(keys)));
  }

  @Override
  public void load(long token, List<Row> rows) {
    List<VersionedWrite> writes = rows.stream().map(VersionedWrite::of).toList();
    apply(token, new EngineBatch(writes, List.of()));
  }

  @Override
  public void restore(KeyRange keys, Position folded, Position folding) {}

  @Override
  public void sync(long token) {
    long delivered = disk.changes();
    complete(
        token,
        () -> {
          if (disk.isFull()) {
            return noRoom();
          }
          // What was applied meanwhile may have come along or not.
          disk.syncTo(random.nextBoolean() ? delivered : disk.changes());
          return new EngineResult.Synced();
        });
  }

  /** From now on a call to prune deletes about so many versions, and looks at so many keys. */
  public void pruneAtMost(int versionsMax, int keysMax) {
    pruneVersionsMax = versionsMax;
    pruneKeysMax = keysMax;
  }

  @Override
  public void prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) {
    Prune prune = new Prune(token, keys, floor, tombstoneFloor, steps.next());
    if (prune.inSteps) {
      Check.that(open, "the memory engine is open");
      completions.later(prune::step);
    } else {
      complete(token, prune::all);
    }
  }

  /** A prune: of each key the older versions go first, and a tombstone after what it hides. */
  private final class Prune {
    private final long token;
    private final KeyRange keys;
    private final Position floor;
    private final Position tombstoneFloor;
    private final boolean inSteps;
    private int deleted;

    Prune(long token, KeyRange keys, Position floor, Position tombstoneFloor, boolean inSteps) {
      this.token = token;
      this.keys = keys;
      this.floor = floor;
      this.tombstoneFloor = tombstoneFloor;
      this.inSteps = inSteps;
    }

    private VersionedMap.Prunable old() {
      return disk.versions().prunable(keys, floor, tombstoneFloor, pruneVersionsMax, pruneKeysMax);
    }

    private EngineResult all() {
      VersionedMap.Prunable old = old();
      disk.delete(old.versions());
      return new EngineResult.Pruned(deleted + old.versions().size(), old.rest());
    }

    private void step() {
      if (!open) {
        return;
      }
      List<VersionedWrite> old = disk.isBroken() ? List.of() : old().versions();
      int some = old.isEmpty() ? 0 : steps.of(old.size());
      if (some == old.size() || deleted >= pruneVersionsMax) {
        deliver(token, this::all);
      } else {
        disk.delete(List.copyOf(old.subList(0, some)));
        deleted += some;
        steps.afterPause(this::step);
      }
    }
  }

  private static EngineResult broken() {
    return new EngineResult.Failed(false, "the memory disk is broken");
  }

  private static EngineResult.Failed noRoom() {
    return new EngineResult.Failed(true, "no room on the memory disk");
  }

  /** Queues a change; whichever completion runs first completes the change submitted first. */
  private void change(Pending change) {
    Check.that(open, "the memory engine is open");
    pending.addLast(change);
    completions.later(this::changeFirst);
  }

  private void changeFirst() {
    if (!open) {
      return;
    }
    Pending first = pending.getFirst();
    if (first.clears().isPresent() && steps.next() && clearsSome(first.clears().get())) {
      steps.afterPause(this::changeFirst);
      return;
    }
    pending.removeFirst();
    deliver(
        first.token(),
        () -> {
          if (disk.isFull()) {
            return noRoom();
          }
          first.change().accept(disk);
          return new EngineResult.Applied();
        });
  }

  /** Clears some versions in an interval, the newer or the older ones; false if there are none. */
  private boolean clearsSome(KeyRange keys) {
    if (disk.isFull() || disk.isBroken()) {
      return false;
    }
    List<VersionedWrite> all = new ArrayList<>(disk.versions().all(keys));
    all.removeIf(write -> steps.random().nextBoolean());
    disk.delete(all);
    return !all.isEmpty();
  }

  /** Answers a read from a snapshot of now or of then, or from several looks. */
  private void answer(long token, Supplier<EngineResult> read, Optional<Supplier<Walk>> inSteps) {
    if (overloaded.getAsBoolean()) {
      complete(token, () -> new EngineResult.Overloaded("too many reads, by chance"));
      return;
    }
    if (inSteps.isPresent() && steps.next()) {
      Check.that(open, "the memory engine is open");
      Walk walk = inSteps.get().get();
      completions.later(() -> look(token, walk));
      return;
    }
    if (random.nextBoolean() && !disk.isBroken()) {
      EngineResult early = amidBatchesInFlight(random, read);
      complete(token, () -> early);
    } else {
      complete(token, () -> amidBatchesInFlight(random, read));
    }
  }

  private void look(long token, Walk walk) {
    if (!open) {
      return;
    }
    Optional<EngineResult> result =
        disk.isBroken()
            ? Optional.of(broken())
            : amidBatchesInFlight(steps.random(), () -> walk.look(disk.versions()));
    result.ifPresentOrElse(
        found -> deliver(token, () -> found), () -> steps.afterPause(() -> look(token, walk)));
  }

  /** Evaluates a read while a random part of the batches in flight is visible. */
  private <T> T amidBatchesInFlight(RandomGenerator chance, Supplier<T> read) {
    if (pending.isEmpty() || chance.nextBoolean()) {
      return read.get();
    }
    List<VersionedWrite> shown = new ArrayList<>();
    for (Pending change : pending) {
      if (change.batch().isEmpty()) {
        break; // A clear takes what was before it.
      }
      for (VersionedWrite write : change.batch().get().writes()) {
        if (chance.nextBoolean() && !disk.versions().holds(write)) {
          disk.versions().put(write);
          shown.add(write);
        }
      }
    }
    T result = read.get();
    shown.forEach(disk.versions()::remove);
    return result;
  }

  private void complete(long token, Supplier<EngineResult> work) {
    Check.that(open, "the memory engine is open");
    completions.later(
        () -> {
          if (open) {
            deliver(token, work);
          }
        });
  }

  private void deliver(long token, Supplier<EngineResult> work) {
    EngineResult result = disk.isBroken() ? broken() : work.get();
    sink.accept(new Event.EngineDone(token, result));
  }
}
