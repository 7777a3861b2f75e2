package org.ecstore.client;

import java.util.List;
import java.util.Optional;

/**
 * Some records of a scan, where to go on, and where to go back. Tokens are for {@link Scan#resume}
 * of the same scan and show no key, so that they may go to a browser.
 *
 * @param entries in scan order
 * @param next the token of the next page; present if there is at least one record more. Of a page
 *     that was gone back to it is always there
 * @param previous the token of the page before, which has as many records, or those from the first
 *     on; absent if this one begins with the first
 * @param <V> the type of the values
 */
public record Page<V>(List<Entry<V>> entries, Optional<String> next, Optional<String> previous) {
  public Page {
    entries = List.copyOf(entries);
  }

  /** A page that none was before. */
  public Page(List<Entry<V>> entries, Optional<String> next) {
    this(entries, next, Optional.empty());
  }

  /** Whether there are records behind these. */
  public boolean hasMore() {
    return next.isPresent();
  }
}
