package org.ecstore.engines.store;

import java.util.List;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;

/**
 * Changes of a store that are made together.
 *
 * @param puts rows that take the place of those of their keys; each key at most once in the batch
 * @param deletes keys whose rows go, if there are any
 * @param metadata entries that are put, or deleted if their value is absent
 */
public record StoreBatch(List<Row> puts, List<Bytes> deletes, List<MetadataEntry> metadata) {
  public StoreBatch {
    puts = List.copyOf(puts);
    deletes = List.copyOf(deletes);
    metadata = List.copyOf(metadata);
  }
}
