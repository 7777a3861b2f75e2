package org.ecstore.tools.records;

import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * A record of a table.
 *
 * @param key within the table
 * @param value as it is stored
 * @param isJson whether the value was said to be JSON
 */
public record RecordLine(Tuple key, Bytes value, boolean isJson) {
  /** One of any bytes. */
  public RecordLine(Tuple key, Bytes value) {
    this(key, value, false);
  }

  /** The same, its value being JSON. */
  RecordLine ofJson() {
    return new RecordLine(key, value, true);
  }
}
