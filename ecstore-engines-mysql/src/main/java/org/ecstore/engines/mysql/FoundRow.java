package org.ecstore.engines.mysql;

import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;

/**
 * A row as a statement found it.
 *
 * @param valueBytes how long its value is; 0 if only keys were asked for
 * @param value absent if it was left out, as longer than what the statement asked for
 */
record FoundRow(Bytes key, Position version, long valueBytes, Optional<Bytes> value) {
  static FoundRow of(Row row) {
    return new FoundRow(row.key(), row.version(), row.value().length(), Optional.of(row.value()));
  }

  /** Of the key and the value, left out or not. */
  long bytes() {
    return key.length() + valueBytes;
  }

  /** The row, whose value was not left out. */
  Row row() {
    return new Row(key, version, value.orElseThrow());
  }
}
