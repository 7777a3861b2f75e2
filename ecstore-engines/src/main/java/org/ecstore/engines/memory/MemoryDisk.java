package org.ecstore.engines.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.ecstore.check.Check;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/**
 * The disk below a {@link MemoryEngine}: it outlives the engine, and a crash takes some of what was
 * not synced. Used by one thread at a time.
 *
 * <p>Everything applied is in the tables at once; each change since the last sync keeps what undoes
 * it, newest last, so that a crash costs what it undoes and a sync costs nothing.
 */
public final class MemoryDisk {
  /** How to take back one batch, clear or step of pruning. */
  private record Undo(
      List<VersionedWrite> added, List<VersionedWrite> lost, List<MetadataEntry> metadata) {}

  private final VersionedMap versions = new VersionedMap();
  private final TreeMap<Bytes, Bytes> metadata = new TreeMap<>();
  private final Deque<Undo> unsynced = new ArrayDeque<>();
  private long changes;
  private @Nullable MemoryEngine engine;
  private boolean full;
  private boolean broken;

  /** From now on there is no room (batches, clears and syncs fail), or there is again. */
  public void full(boolean full) {
    this.full = full;
  }

  /** From now on every call fails with an I/O error, or works again. */
  public void broken(boolean broken) {
    this.broken = broken;
  }

  /**
   * The machine stops: the engine on this disk falls silent, calls in flight have no result, and of
   * the changes since the last sync, those in flight included, a random prefix stays.
   */
  public void crash(RandomGenerator random) {
    if (engine != null) {
      engine.pendingChanges().forEach(change -> change.accept(this));
      engine.detach();
      engine = null;
    }
    for (int lost = random.nextInt(unsynced.size() + 1); lost > 0; lost--) {
      undo(unsynced.removeLast());
    }
    unsynced.clear();
  }

  /** What an engine on this disk would find in an interval as of a position, for checkers. */
  public List<Row> look(KeyRange keys, Position at) {
    return versions
        .scan(new ScanSpec(keys, at, false, Integer.MAX_VALUE, Integer.MAX_VALUE, false))
        .rows();
  }

  void attach(MemoryEngine opened) {
    Check.that(engine == null, "a memory disk carries one engine at a time");
    engine = opened;
  }

  /** The engine was closed in the orderly way: what was applied stays. */
  @SuppressWarnings("ReferenceEquality")
  void detach(MemoryEngine closed) {
    Check.that(engine == closed, "only the engine on a memory disk leaves it");
    engine = null;
    unsynced.clear();
  }

  boolean isFull() {
    return full;
  }

  boolean isBroken() {
    return broken;
  }

  VersionedMap versions() {
    return versions;
  }

  List<MetadataEntry> metadata() {
    List<MetadataEntry> all = new ArrayList<>(metadata.size());
    metadata.forEach((name, value) -> all.add(new MetadataEntry(name, Optional.of(value))));
    return all;
  }

  /** Changes ever made. */
  long changes() {
    return changes;
  }

  /** Makes durable the changes up to a count. */
  void syncTo(long count) {
    while (changes - unsynced.size() < count) {
      unsynced.removeFirst();
    }
  }

  void apply(EngineBatch batch) {
    List<VersionedWrite> added = new ArrayList<>(batch.writes().size());
    List<VersionedWrite> lost = new ArrayList<>(0);
    for (VersionedWrite write : batch.writes()) {
      versions.put(write).ifPresentOrElse(lost::add, () -> added.add(write));
    }
    List<MetadataEntry> former = new ArrayList<>(batch.metadata().size());
    for (MetadataEntry entry : batch.metadata()) {
      former.add(new MetadataEntry(entry.name(), Optional.ofNullable(put(entry))));
    }
    changed(new Undo(added, lost, former));
  }

  void clear(KeyRange keys) {
    delete(versions.all(keys));
  }

  /** Deletes versions that are there, as one change. */
  void delete(List<VersionedWrite> old) {
    old.forEach(versions::remove);
    changed(new Undo(List.of(), old, List.of()));
  }

  private void changed(Undo undo) {
    unsynced.addLast(undo);
    changes++;
  }

  private void undo(Undo change) {
    change.added().forEach(versions::remove);
    change.lost().forEach(versions::put);
    change.metadata().reversed().forEach(this::put);
  }

  private @Nullable Bytes put(MetadataEntry entry) {
    return entry.value().isPresent()
        ? metadata.put(entry.name(), entry.value().get())
        : metadata.remove(entry.name());
  }
}
