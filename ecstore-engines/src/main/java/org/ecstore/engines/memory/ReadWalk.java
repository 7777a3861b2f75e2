package org.ecstore.engines.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;

/** A read of keys that looks at some of them at a time. */
final class ReadWalk implements Walk {
  private final List<Bytes> keys;
  private final Position at;
  private final int bytesMax;
  private final IntSupplier length;
  private final List<Optional<Row>> rows = new ArrayList<>();
  private long bytes;

  /**
   * A read that has not begun.
   *
   * @param bytesMax it ends with the row that reaches it
   * @param length how many keys the next look is at
   */
  ReadWalk(List<Bytes> keys, Position at, int bytesMax, IntSupplier length) {
    this.keys = keys;
    this.at = at;
    this.bytesMax = bytesMax;
    this.length = length;
  }

  @Override
  public Optional<EngineResult> look(VersionedMap versions) {
    int to = Math.min(keys.size(), rows.size() + length.getAsInt());
    while (rows.size() < to && bytes < bytesMax) {
      take(versions.read(keys.get(rows.size()), at));
    }
    return rows.size() == keys.size() || bytes >= bytesMax
        ? Optional.of(new EngineResult.Found(rows))
        : Optional.empty();
  }

  private void take(Optional<Row> row) {
    rows.add(row);
    bytes += row.map(found -> found.key().length() + found.value().length()).orElse(0);
  }

  /** All of it, at one look, for which the length is that of all keys. */
  EngineResult whole(VersionedMap versions) {
    return look(versions).orElseThrow();
  }
}
