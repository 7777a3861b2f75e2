package org.ecstore.client.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.ecstore.key.Bytes;

/**
 * What a transaction has read of the store by key, so that none is asked twice for the same: a
 * snapshot does not move, and what a record was is asked again to keep its indexes. As much as has
 * room is kept, of what was read first.
 */
final class KnownValues {
  /** Keys and values together. */
  static final long BYTES_MAX = 256L << 10;

  private final Map<Bytes, Optional<Bytes>> values = new HashMap<>();
  private long bytes;

  boolean has(Bytes key) {
    return values.containsKey(key);
  }

  /** The value of a key that it {@link #has}, if the store had one. */
  Optional<Bytes> value(Bytes key) {
    return values.getOrDefault(key, Optional.empty());
  }

  void add(Bytes key, Optional<Bytes> value) {
    long more = (long) key.length() + value.map(Bytes::length).orElse(0);
    if (bytes + more <= BYTES_MAX && values.putIfAbsent(key, value) == null) {
      bytes += more;
    }
  }
}
