package org.ecstore.client;

import java.util.List;
import java.util.Optional;

/**
 * Some records of a scan, and where to go on.
 *
 * @param entries in scan order
 * @param next the token for {@link Scan#resume}; absent if the range is at its end. After a limit
 *     was reached there may or may not be more
 * @param <V> the type of the values
 */
public record Page<V>(List<Entry<V>> entries, Optional<String> next) {
  public Page {
    entries = List.copyOf(entries);
  }
}
