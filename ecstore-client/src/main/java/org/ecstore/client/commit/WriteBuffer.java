package org.ecstore.client.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;

/** The writes of a transaction before it commits: the last one for each key. For one thread. */
public final class WriteBuffer {
  private final NavigableMap<Bytes, Optional<Bytes>> writes = new TreeMap<>();
  private long bytes;

  /** Replaces the write of a key: a value, or absent for a delete. */
  public void put(Bytes key, Optional<Bytes> value) {
    bytes = bytesWith(key, value);
    writes.put(key, value);
  }

  /** What {@link #bytes} would be after a write. */
  public long bytesWith(Bytes key, Optional<Bytes> value) {
    long replaced = contains(key) ? size(key, value(key)) : 0;
    return bytes + size(key, value) - replaced;
  }

  private static long size(Bytes key, Optional<Bytes> value) {
    return (long) key.length() + (value.isPresent() ? value.get().length() : 0);
  }

  /** Whether there is a write of a key. */
  public boolean contains(Bytes key) {
    return writes.containsKey(key);
  }

  /** The value that a key was written; absent if it was deleted or not written. */
  public Optional<Bytes> value(Bytes key) {
    return writes.getOrDefault(key, Optional.empty());
  }

  /** The writes of a range as they are now; later ones do not show. */
  public NavigableMap<Bytes, Optional<Bytes>> copyOf(KeyRange range) {
    NavigableMap<Bytes, Optional<Bytes>> tail = writes.tailMap(range.start(), true);
    return new TreeMap<>(range.end().isPresent() ? tail.headMap(range.end().get(), false) : tail);
  }

  /** Keys and values, in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Keys written. */
  public int count() {
    return writes.size();
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  /** The least key written. */
  Bytes firstKey() {
    return writes.firstKey();
  }

  /** The writes in key order. */
  public List<KeyWrite> toList() {
    List<KeyWrite> list = new ArrayList<>(writes.size());
    writes.forEach((key, value) -> list.add(new KeyWrite(key, value)));
    return list;
  }
}
