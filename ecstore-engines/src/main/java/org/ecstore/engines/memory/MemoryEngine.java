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
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineProfile;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.versions.VersionedMap;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * An {@link Engine} in memory on a {@link MemoryDisk}. It promises what the port promises and,
 * where the port leaves it free, behaves as badly as a real engine might: it completes late and out
 * of the caller's step; reads overtake batches, take their snapshot when submitted or when
 * completed, and see a random part of the batches in flight. Deterministic: all chance comes from
 * the generator and from the order in which {@link Completions} run. No threads: calls and
 * completions must take turns.
 */
public final class MemoryEngine implements Engine, AutoCloseable {
  private static final EngineProfile PROFILE = new EngineProfile("memory", true, true, true, true);
  private static final int PRUNE_VERSIONS_MAX = 512;
  private static final int PRUNE_KEYS_MAX = 4096;

  /** A batch or a clear that has no result yet. */
  private record Pending(long token, Optional<EngineBatch> batch, Consumer<MemoryDisk> change) {}

  private final MemoryDisk disk;
  private final RandomGenerator random;
  private final Completions completions;
  private final Consumer<Event> sink;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private boolean open = true;
  private BooleanSupplier overloaded = () -> false;

  private MemoryEngine(
      MemoryDisk disk, RandomGenerator random, Completions completions, Consumer<Event> sink) {
    this.disk = disk;
    this.random = random;
    this.completions = completions;
    this.sink = sink;
  }

  /**
   * Opens an engine on a disk that carries none.
   *
   * @param sink gets every result, within a completion
   */
  public static MemoryEngine open(
      MemoryDisk disk, RandomGenerator random, Completions completions, Consumer<Event> sink) {
    MemoryEngine engine = new MemoryEngine(disk, random, completions, sink);
    disk.attach(engine);
    return engine;
  }

  /** From now on refuses those reads of which this says that they are too many. */
  public void overload(BooleanSupplier tooMany) {
    overloaded = tooMany;
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
  public EngineProfile profile() {
    return PROFILE;
  }

  @Override
  public void read(long token, List<Bytes> keys, Position at) {
    List<Bytes> asked = List.copyOf(keys);
    answer(
        token,
        () ->
            new EngineResult.Found(
                asked.stream().map(key -> disk.versions().read(key, at)).toList()));
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    answer(token, () -> disk.versions().scan(spec));
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    List<Bytes> askedKeys = List.copyOf(keys);
    List<KeyRange> askedIntervals = List.copyOf(intervals);
    answer(
        token,
        () -> new EngineResult.Newer(disk.versions().newest(askedKeys, askedIntervals, above)));
  }

  @Override
  public void middle(long token, KeyRange keys) {
    answer(token, () -> new EngineResult.Middle(disk.versions().middle(keys)));
  }

  @Override
  public void size(long token, KeyRange keys) {
    answer(token, () -> disk.versions().size(keys));
  }

  @Override
  public void notes(long token) {
    complete(token, () -> new EngineResult.Notes(disk.notes()));
  }

  @Override
  public void apply(long token, EngineBatch batch) {
    change(new Pending(token, Optional.of(batch), on -> on.apply(batch)));
  }

  @Override
  public void clear(long token, KeyRange keys) {
    change(new Pending(token, Optional.empty(), on -> on.clear(keys)));
  }

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

  @Override
  public void prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) {
    complete(
        token,
        () -> {
          VersionedMap.Prunable old =
              disk.versions()
                  .prunable(keys, floor, tombstoneFloor, PRUNE_VERSIONS_MAX, PRUNE_KEYS_MAX);
          disk.delete(old.versions());
          return new EngineResult.Pruned(old.versions().size(), old.rest());
        });
  }

  private static EngineResult.Failed noRoom() {
    return new EngineResult.Failed(true, "no room on the memory disk");
  }

  /** Queues a change; whichever completion runs first completes the change submitted first. */
  private void change(Pending change) {
    Check.that(open, "the memory engine is open");
    pending.addLast(change);
    completions.later(
        () -> {
          if (open) {
            Pending first = pending.removeFirst();
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
        });
  }

  /** Answers a read from a snapshot of now or of then. */
  private void answer(long token, Supplier<EngineResult> read) {
    if (overloaded.getAsBoolean()) {
      complete(token, () -> new EngineResult.Overloaded("too many reads, by chance"));
      return;
    }
    if (random.nextBoolean() && !disk.isBroken()) {
      EngineResult early = amidBatchesInFlight(read);
      complete(token, () -> early);
    } else {
      complete(token, () -> amidBatchesInFlight(read));
    }
  }

  /** Evaluates a read while a random part of the batches in flight is visible. */
  private EngineResult amidBatchesInFlight(Supplier<EngineResult> read) {
    if (pending.isEmpty() || random.nextBoolean()) {
      return read.get();
    }
    List<VersionedWrite> shown = new ArrayList<>();
    for (Pending change : pending) {
      if (change.batch().isEmpty()) {
        break; // A clear takes what was before it.
      }
      for (VersionedWrite write : change.batch().get().writes()) {
        if (random.nextBoolean() && !disk.versions().holds(write)) {
          disk.versions().put(write);
          shown.add(write);
        }
      }
    }
    EngineResult result = read.get();
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
    EngineResult result =
        disk.isBroken() ? new EngineResult.Failed(false, "the memory disk is broken") : work.get();
    sink.accept(new Event.EngineDone(token, result));
  }
}
