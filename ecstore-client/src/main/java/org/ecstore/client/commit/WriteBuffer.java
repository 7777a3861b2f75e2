package org.ecstore.client.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;

/** The writes of a transaction before it commits: one for each key. For one thread. */
public final class WriteBuffer {
  private final NavigableMap<Bytes, Mutation> writes = new TreeMap<>();
  private long bytes;

  /** Replaces the write of a key. */
  public void put(Bytes key, Mutation mutation) {
    bytes = bytesWith(key, mutation);
    writes.put(key, mutation);
  }

  /** What {@link #bytes} would be after a write. */
  public long bytesWith(Bytes key, Mutation mutation) {
    Mutation replaced = writes.get(key);
    return bytes + size(key, mutation) - (replaced == null ? 0 : size(key, replaced));
  }

  private static long size(Bytes key, Mutation mutation) {
    return (long) key.length() + mutation.length();
  }

  /** Whether there is a write of a key. */
  public boolean contains(Bytes key) {
    return writes.containsKey(key);
  }

  /** The write of a key; absent if there is none. */
  public Optional<Mutation> mutation(Bytes key) {
    return Optional.ofNullable(writes.get(key));
  }

  /** Whether what is written says what a key is, whatever the store has of it. */
  public boolean tells(Bytes key) {
    Mutation mutation = writes.get(key);
    return mutation != null && !mutation.isOperation();
  }

  /** The value that a key was written; absent if it was deleted or not written. */
  public Optional<Bytes> value(Bytes key) {
    return mutation(key).flatMap(Mutation::value);
  }

  /** The value of a key with what is written on top of what the store has. */
  public Optional<Bytes> over(Bytes key, Optional<Bytes> stored) {
    Mutation mutation = writes.get(key);
    return mutation == null ? stored : mutation.after(stored);
  }

  /** The writes of a range as they are now; later ones do not show. */
  public NavigableMap<Bytes, Mutation> copyOf(KeyRange range) {
    NavigableMap<Bytes, Mutation> tail = writes.tailMap(range.start(), true);
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
    writes.forEach((key, mutation) -> list.add(new KeyWrite(key, mutation)));
    return list;
  }
}
