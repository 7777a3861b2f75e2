package org.ecstore.client.large;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.ecstore.client.Codec;
import org.ecstore.client.Entry;
import org.ecstore.client.Session;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Marks of chunks that no record of a large value names: of one that is being written, and of one
 * that none will read again. Whatever ends in the middle, its mark tells what has to be deleted:
 *
 * <pre>
 *   ecstore, ("large", name, id)     1 being written, 2 given up | since when, 8 bytes
 * </pre>
 *
 * <p>A mark goes with the commit that publishes its value, or with the last of its chunks. Safe for
 * use by several threads.
 */
final class LargeMarks {
  /** Those who have found a value before it was replaced may read it on for so long. */
  static final Duration GRACE = Duration.ofMinutes(10);

  /** A writer that wrote nothing for so long has ended without a word. */
  static final Duration SILENCE_MAX = Duration.ofHours(1);

  private static final Table<Bytes> TABLE = Table.of("ecstore", Codec.bytes());
  private static final String KIND = "large";
  private static final UUID FIRST = new UUID(0, 0);
  private static final byte WRITING = 1;
  private static final byte GIVEN_UP = 2;
  private static final int MARK_BYTES = 1 + Long.BYTES;

  /** Renewed so much sooner than a writer counts as silent. */
  private static final long RENEWED_MILLIS = Duration.ofMinutes(10).toMillis();

  /** What a writer cleans up behind others: 32 MiB, and so more than most leave behind. */
  private static final int STEPS_AT_ONCE = 2;

  private static final int CHUNKS_IN_A_STEP = 32;
  private static final Duration STEP_MAX = Duration.ofSeconds(1);
  private static final int LOOKED_AT = 100;

  private final Session session;
  private final String name;
  private final Table<Bytes> chunks;
  private final LongSupplier nowMillis;

  /** When the marks of what this process writes were renewed. */
  private final Map<UUID, Long> renewed = new ConcurrentHashMap<>();

  LargeMarks(Session session, String name, Table<Bytes> chunks, LongSupplier nowMillis) {
    this.session = session;
    this.name = name;
    this.chunks = chunks;
    this.nowMillis = nowMillis;
  }

  Instant now() {
    return Instant.ofEpochMilli(nowMillis.getAsLong());
  }

  private Tuple key(UUID id) {
    return Tuple.of(KIND, name, id);
  }

  private Bytes mark(byte state) {
    return Bytes.wrap(
        ByteBuffer.allocate(MARK_BYTES).put(state).putLong(nowMillis.getAsLong()).array());
  }

  private static boolean is(byte state, Optional<Bytes> mark) {
    return mark.isPresent() && mark.get().length() == MARK_BYTES && mark.get().array()[0] == state;
  }

  private static long since(Bytes mark) {
    return ByteBuffer.wrap(mark.array()).getLong(1);
  }

  /** A chunk is written with this. */
  void written(Transaction tx, UUID id, boolean first) {
    if (!first) {
      requireWriting(tx, id);
    }
    tx.put(TABLE, key(id), mark(WRITING));
    renewed.put(id, nowMillis.getAsLong());
  }

  /** Bytes come, though no chunk is full: every ten minutes the mark says so. */
  void stillWriting(UUID id) {
    Long last = renewed.get(id);
    if (last == null || nowMillis.getAsLong() - last >= RENEWED_MILLIS) {
      session.execute(tx -> written(tx, id, false));
    }
  }

  private void requireWriting(Transaction tx, UUID id) {
    if (!is(WRITING, tx.get(TABLE, key(id)))) {
      throw new ClosedException(
          "the large value was taken for given up, since nothing was written for an hour: write it"
              + " again",
          null,
          "name",
          name,
          "id",
          id);
    }
  }

  /**
   * A value is published with this: its chunks belong to a record now. The mark is young enough to
   * be no one's for the rest of an hour, so it is not read: the transaction may be older than it.
   */
  void published(Transaction tx, UUID id) {
    stillWriting(id);
    tx.delete(TABLE, key(id));
  }

  /** None will find the value again. */
  void given(Transaction tx, UUID id) {
    tx.put(TABLE, key(id), mark(GIVEN_UP));
  }

  /** This process writes the value no more. */
  void ended(UUID id) {
    renewed.remove(id);
  }

  /**
   * Deletes the chunks of a value that was not published; what cannot be done is left to others.
   */
  void drop(UUID id) {
    try {
      boolean isWriting =
          session.transact(
              tx -> {
                boolean writing = is(WRITING, tx.get(TABLE, key(id)));
                if (writing) {
                  given(tx, id);
                }
                return writing;
              });
      if (isWriting) {
        delete(id);
      }
    } catch (EcStoreException leftToOthers) {
      // Its mark is there: it is found by who cleans.
    }
  }

  /** Cleans a little; what cannot be done is left to others. */
  void cleanSome() {
    try {
      // Not where others begin: all would take the same ones.
      List<UUID> over = new ArrayList<>();
      if (look(UUID.randomUUID(), over).isEmpty()) {
        look(FIRST, over);
      }
      int steps = 0;
      for (UUID id : over) {
        boolean more = true;
        while (more && steps < STEPS_AT_ONCE) {
          more = step(session.within(STEP_MAX), id);
          steps++;
        }
      }
    } catch (EcStoreException leftToOthers) {
      // The marks are there still.
    }
  }

  /** Cleans all that is over; of how many values. */
  long clean() {
    long cleaned = 0;
    Optional<UUID> next = Optional.of(FIRST);
    while (next.isPresent()) {
      List<UUID> over = new ArrayList<>();
      next = look(next.get(), over);
      over.forEach(this::delete);
      cleaned += over.size();
    }
    return cleaned;
  }

  /**
   * Looks at some marks from an id on.
   *
   * @param over takes those that are over
   * @return the id to go on at; absent at the end
   */
  private Optional<UUID> look(UUID from, List<UUID> over) {
    TupleRange range = TupleRange.between(key(from), Tuple.of(KIND, name + '\0'));
    List<Entry<Bytes>> marks =
        session.read(at -> at.scan(TABLE, range).limit(LOOKED_AT + 1).stream().toList());
    for (Entry<Bytes> mark : marks.subList(0, Math.min(LOOKED_AT, marks.size()))) {
      if (isOver(mark.value())) {
        over.add(mark.key().uuid(2));
      }
    }
    return marks.size() <= LOOKED_AT
        ? Optional.empty()
        : Optional.of(marks.get(LOOKED_AT).key().uuid(2));
  }

  private boolean isOver(Bytes mark) {
    if (mark.length() != MARK_BYTES) {
      return false;
    }
    long age = nowMillis.getAsLong() - since(mark);
    return is(GIVEN_UP, Optional.of(mark))
        ? age >= GRACE.toMillis()
        : is(WRITING, Optional.of(mark)) && age >= SILENCE_MAX.toMillis();
  }

  private void delete(UUID id) {
    boolean more = true;
    while (more) {
      more = step(session, id);
    }
  }

  /**
   * Deletes some chunks of a value, and the mark with the last of them. One that was being written
   * is given up first, so that its writer cannot publish it any more.
   *
   * @return whether there is more
   */
  private boolean step(Session by, UUID id) {
    return by.transact(
        tx -> {
          Optional<Bytes> mark = tx.get(TABLE, key(id));
          if (mark.isEmpty()) {
            return false;
          } else if (!is(GIVEN_UP, mark)) {
            boolean over = isOver(mark.get());
            if (over) {
              given(tx, id);
            }
            return over;
          }
          List<Tuple> some =
              tx.scan(chunks, TupleRange.prefix(Tuple.of(id)))
                  .limit(CHUNKS_IN_A_STEP)
                  .keys()
                  .toList();
          some.forEach(chunk -> tx.delete(chunks, chunk));
          if (some.size() < CHUNKS_IN_A_STEP) {
            tx.delete(TABLE, key(id));
          }
          return some.size() == CHUNKS_IN_A_STEP;
        });
  }
}
