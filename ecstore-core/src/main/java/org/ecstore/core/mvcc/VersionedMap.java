package org.ecstore.core.mvcc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult.Rows;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * Keys in memory in order, each with its versions, oldest first. Chains are never empty. New
 * versions mostly come last, so that a chain is an array list and not a tree. For one thread.
 */
public final class VersionedMap {
  private final NavigableMap<Bytes, List<VersionedWrite>> chains = new TreeMap<>();

  /** Stores a version; the write that was there at that version, if any. */
  public Optional<VersionedWrite> put(VersionedWrite write) {
    List<VersionedWrite> chain = chains.computeIfAbsent(write.key(), key -> new ArrayList<>(2));
    int at = countAtOrBelow(chain, write.version());
    if (at > 0 && chain.get(at - 1).version().equals(write.version())) {
      return Optional.of(chain.set(at - 1, write));
    }
    chain.add(at, write);
    return Optional.empty();
  }

  /** Removes a version that is there. */
  public void remove(VersionedWrite write) {
    List<VersionedWrite> chain = chains.getOrDefault(write.key(), List.of());
    int at = countAtOrBelow(chain, write.version());
    if (at > 0 && chain.get(at - 1).version().equals(write.version())) {
      chain.remove(at - 1);
      if (chain.isEmpty()) {
        chains.remove(write.key());
      }
    }
  }

  /** The newest version of a key at or below a position; a tombstone reads as absent. */
  public Optional<Row> read(Bytes key, Position at) {
    return visible(chains.getOrDefault(key, List.of()), at);
  }

  /** The newest versions at or below a position in an interval. */
  public Rows scan(ScanSpec spec) {
    List<Row> rows = new ArrayList<>();
    int bytes = 0;
    NavigableMap<Bytes, List<VersionedWrite>> view = view(spec.interval());
    for (List<VersionedWrite> chain : (spec.reverse() ? view.descendingMap() : view).values()) {
      Optional<Row> found = visible(chain, spec.at());
      if (found.isPresent()) {
        Row row = found.get();
        if (spec.keysOnly()) {
          row = new Row(row.key(), row.version(), Bytes.EMPTY);
        }
        rows.add(row);
        bytes += row.key().length() + row.value().length();
        if (rows.size() >= spec.recordsMax() || bytes >= spec.bytesMax()) {
          return new Rows(rows, false);
        }
      }
    }
    return new Rows(rows, true);
  }

  /**
   * Versions that nothing at or above the floor reads, and the rest of the interval.
   *
   * @param versionsMax about how many at most
   * @param keysMax how many keys are looked at, with or without such versions
   */
  public Prunable prunable(
      KeyRange keys, Position floor, Position tombstoneFloor, int versionsMax, int keysMax) {
    List<VersionedWrite> old = new ArrayList<>();
    int seen = 0;
    for (Map.Entry<Bytes, List<VersionedWrite>> entry : view(keys).entrySet()) {
      if (old.size() >= versionsMax || seen++ >= keysMax) {
        return new Prunable(old, Optional.of(KeyRange.between(entry.getKey(), keys.end())));
      }
      List<VersionedWrite> chain = entry.getValue();
      int readable = countAtOrBelow(chain, floor) - 1;
      if (readable >= 0) {
        VersionedWrite newest = chain.get(readable);
        boolean dead = newest.value().isEmpty() && newest.version().isAtOrBelow(tombstoneFloor);
        old.addAll(chain.subList(0, dead ? readable + 1 : readable));
      }
    }
    return new Prunable(old, Optional.empty());
  }

  /** Versions to delete and where to go on. */
  public record Prunable(List<VersionedWrite> versions, Optional<KeyRange> rest) {}

  /** Every version in an interval. */
  public List<VersionedWrite> all(KeyRange keys) {
    return view(keys).values().stream().flatMap(List::stream).toList();
  }

  private NavigableMap<Bytes, List<VersionedWrite>> view(KeyRange keys) {
    return keys.end().isPresent()
        ? chains.subMap(keys.start(), true, keys.end().get(), false)
        : chains.tailMap(keys.start(), true);
  }

  private static Optional<Row> visible(List<VersionedWrite> chain, Position at) {
    int count = countAtOrBelow(chain, at);
    if (count == 0) {
      return Optional.empty();
    }
    VersionedWrite newest = chain.get(count - 1);
    return newest.value().map(value -> new Row(newest.key(), newest.version(), value));
  }

  private static int countAtOrBelow(List<VersionedWrite> chain, Position at) {
    int low = 0;
    int high = chain.size();
    if (high > 0 && chain.getLast().version().isAtOrBelow(at)) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (chain.get(middle).version().isAtOrBelow(at)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
