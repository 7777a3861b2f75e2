package org.ecstore.core.port;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * What an engine should hold, in the simplest form there is: every version of every key. Batches
 * come in the order of their versions.
 */
final class EngineModel {
  private final NavigableMap<Bytes, NavigableMap<Position, Optional<Bytes>>> versions =
      new TreeMap<>();
  private final NavigableMap<Bytes, Bytes> metadata = new TreeMap<>();

  void apply(Engine.EngineBatch batch) {
    for (Engine.VersionedWrite write : batch.writes()) {
      NavigableMap<Position, Optional<Bytes>> history =
          versions.computeIfAbsent(write.key(), key -> new TreeMap<>());
      Map.Entry<Position, Optional<Bytes>> before = history.lowerEntry(write.version());
      history.put(
          write.version(),
          write.mutation().after(before == null ? Optional.empty() : before.getValue()));
    }
    for (Engine.MetadataEntry entry : batch.metadata()) {
      if (entry.value().isPresent()) {
        metadata.put(entry.name(), entry.value().get());
      } else {
        metadata.remove(entry.name());
      }
    }
  }

  void clear(KeyRange range) {
    versions.keySet().removeIf(range::contains);
  }

  Optional<Row> read(Bytes key, Position at) {
    Map.Entry<Position, Optional<Bytes>> newest =
        versions.getOrDefault(key, new TreeMap<>()).floorEntry(at);
    return newest == null
        ? Optional.empty()
        : newest.getValue().map(value -> new Row(key, newest.getKey(), value));
  }

  List<Optional<Row>> read(List<Bytes> keys, Position at) {
    return keys.stream().map(key -> read(key, at)).toList();
  }

  /** Every row of an interval in scan order, limits ignored. */
  List<Row> rows(KeyRange interval, Position at, boolean reverse, boolean keysOnly) {
    List<Row> rows = new ArrayList<>();
    for (Bytes key : versions.keySet()) {
      if (interval.contains(key)) {
        read(key, at)
            .map(row -> keysOnly ? new Row(key, row.version(), Bytes.EMPTY) : row)
            .ifPresent(rows::add);
      }
    }
    return reverse ? rows.reversed() : rows;
  }

  boolean hasNewer(KeyRange interval, Position above) {
    return versions.entrySet().stream()
        .anyMatch(
            entry ->
                interval.contains(entry.getKey()) && entry.getValue().lastKey().isAfter(above));
  }

  boolean hasVersion(Bytes key, Position version) {
    return versions.getOrDefault(key, new TreeMap<>()).containsKey(version);
  }

  EngineResult.Size size(KeyRange interval) {
    List<Row> live = rows(interval, new Position(Long.MAX_VALUE), false, false);
    return new EngineResult.Size(
        live.size(),
        live.stream().mapToLong(row -> row.key().length() + row.value().length()).sum());
  }

  List<Engine.MetadataEntry> metadata() {
    return metadata.entrySet().stream()
        .map(entry -> new Engine.MetadataEntry(entry.getKey(), Optional.of(entry.getValue())))
        .toList();
  }
}
