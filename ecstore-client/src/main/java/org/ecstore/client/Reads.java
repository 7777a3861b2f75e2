package org.ecstore.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.session.BytesReads;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Reads of any tables that are sent together, so that all of them take one wait: say what to read,
 * run it, take what came.
 *
 * <pre>{@code
 * Reads reads = at.reads();
 * Read<Optional<Book>> book = reads.get(BOOKS, id);
 * Read<Optional<Stock>> stock = reads.get(STOCK, id);
 * Read<Map<Tuple, Review>> reviews = reads.getAll(REVIEWS, newest);
 * reads.run();
 * return page(book.get(), stock.get(), reviews.get());
 * }</pre>
 *
 * <p>Each read sees what {@link Snapshot#get} at the same place would see when they are run: in a
 * transaction its own writes are on top, and what was read is validated by the commit. Nodes are
 * asked in parallel, each once for the keys of a range; a key that is asked for twice is read once.
 * What depends on an answer is read by other Reads, after it.
 *
 * <p>For one thread at a time; what came may be taken by any.
 */
public final class Reads {
  /** How many keys are read together at most. */
  public static final int KEYS_MAX = 1_000;

  private final BytesReads raw;
  private final Set<Bytes> keys = new LinkedHashSet<>();
  private final List<Asked<?>> asked = new ArrayList<>();
  private boolean isDone;

  Reads(BytesReads raw) {
    this.raw = raw;
  }

  /** A read, and what it makes of the values that were found. */
  private record Asked<T>(Read<T> read, Function<Map<Bytes, Bytes>, T> result) {
    /** To be called when all have been decoded: one that cannot be leaves none of them read. */
    Runnable from(Map<Bytes, Bytes> found) {
      T value = result.apply(found);
      return () -> read.came(value);
    }
  }

  /**
   * The value of a key, as {@link Snapshot#get} reads it.
   *
   * @throws WrongArgumentException if these have been run
   * @throws TooLargeException if there are more keys than {@link #KEYS_MAX}
   */
  public <V> Read<Optional<V>> get(Table<V> table, Tuple key) {
    Bytes at = table.key(key);
    add(List.of(at));
    return asked(
        "get of " + table + ", key " + key,
        found -> Optional.ofNullable(found.get(at)).map(value -> table.decode(at, value)));
  }

  /**
   * The values of the keys that are there, as {@link Snapshot#getAll} reads them: in the order
   * asked.
   *
   * @throws WrongArgumentException if these have been run
   * @throws TooLargeException if there are more keys than {@link #KEYS_MAX}
   */
  public <V> Read<Map<Tuple, V>> getAll(Table<V> table, Collection<Tuple> keys) {
    Map<Bytes, Tuple> at = new LinkedHashMap<>();
    keys.forEach(key -> at.put(table.key(key), key));
    add(at.keySet());
    return asked("getAll of " + table, found -> values(table, at, found));
  }

  private static <V> Map<Tuple, V> values(
      Table<V> table, Map<Bytes, Tuple> keys, Map<Bytes, Bytes> found) {
    Map<Tuple, V> values = new LinkedHashMap<>();
    keys.forEach(
        (at, key) -> {
          Bytes value = found.get(at);
          if (value != null) {
            values.put(key, table.decode(at, value));
          }
        });
    return values;
  }

  /** Nothing is added of what is refused. */
  private void add(Collection<Bytes> more) {
    requireOpen("read more");
    long count = keys.size() + more.stream().filter(key -> !keys.contains(key)).count();
    if (count > KEYS_MAX) {
      throw new TooLargeException(
          "these reads are of too many keys: run them, and read the others by other Reads",
          null,
          "keys",
          count,
          "max",
          KEYS_MAX);
    }
    keys.addAll(more);
  }

  private <T> Read<T> asked(String what, Function<Map<Bytes, Bytes>, T> result) {
    Read<T> read = new Read<>(what);
    asked.add(new Asked<>(read, result));
    return read;
  }

  /**
   * Sends the reads and returns when all have been answered; asks no node if there are none. If it
   * throws, nothing has come of any of them, and it may be called again.
   *
   * @throws WrongArgumentException if they have been run, or a stored value cannot be read
   * @throws org.ecstore.client.error.EcStoreException as {@link Snapshot#get} does
   */
  public void run() {
    requireOpen("run them again");
    Map<Bytes, Bytes> found = raw.get(keys);
    List<Runnable> came = asked.stream().<Runnable>map(each -> each.from(found)).toList();
    isDone = true;
    came.forEach(Runnable::run);
  }

  private void requireOpen(String toDo) {
    if (isDone) {
      throw new WrongArgumentException(
          "these reads have been run: to " + toDo + ", take new ones from reads()",
          null,
          "reads",
          asked.size());
    }
  }
}
