package org.ecstore.client;

import java.util.List;
import java.util.Optional;

/**
 * Some records of a scan, and where to go on.
 *
 * @param entries in scan order
 * @param next the token for {@link Scan#resume}; present if there is at least one record more. It
 *     shows no key, so that it may go to a browser
 * @param <V> the type of the values
 */
public record Page<V>(List<Entry<V>> entries, Optional<String> next) {
  public Page {
    entries = List.copyOf(entries);
  }

  /** Whether there are records behind these. */
  public boolean hasMore() {
    return next.isPresent();
  }
}
