package org.ecstore.client.large;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.ecstore.client.Codec;
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
 * that none will read again. Whatever ends in the middle, its mark tells what is to be deleted:
 *
 * <pre>
 *   ecstore, ("large", name, id)     1 being written, 2 given up | since when, 8 bytes
 * </pre>
 *
 * <p>A mark goes with the commit that publishes its value, or when its chunks are gone.
 */
final class LargeMarks {
  /** Those who have found a value before it was replaced may read it on for so long. */
  static final Duration GRACE = Duration.ofMinutes(10);

  /** A writer that wrote nothing for so long has ended without a word. */
  static final Duration SILENCE_MAX = Duration.ofHours(1);

  private static final Table<Bytes> TABLE = Table.of("ecstore", Codec.bytes());
  private static final String KIND = "large";
  private static final byte WRITING = 1;
  private static final byte GIVEN_UP = 2;
  private static final int MARK_BYTES = 1 + Long.BYTES;

  /** How many a writer cleans up behind others: more than the one that it leaves behind. */
  private static final int CLEANED_AT_ONCE = 2;

  private static final int LOOKED_AT = 100;

  private final Session session;
  private final String name;
  private final Table<Bytes> chunks;
  private final LongSupplier nowMillis;

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

  /** A value is published with this: its chunks belong to a record now. */
  void published(Transaction tx, UUID id) {
    requireWriting(tx, id);
    tx.delete(TABLE, key(id));
  }

  /** None will find the value again. */
  void given(Transaction tx, UUID id) {
    tx.put(TABLE, key(id), mark(GIVEN_UP));
  }

  /**
   * Deletes the chunks of a value that was not published. What cannot be done is left to others.
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
      clean(CLEANED_AT_ONCE);
    } catch (EcStoreException leftToOthers) {
      // The marks are there still.
    }
  }

  long clean() {
    return clean(Long.MAX_VALUE);
  }

  private long clean(long most) {
    long cleaned = 0;
    Tuple end = Tuple.of(KIND, name + '\0');
    Tuple next = Tuple.of(KIND, name);
    while (true) {
      TupleRange range = TupleRange.between(next, end);
      List<Tuple> keys = session.read(at -> at.scan(TABLE, range).limit(LOOKED_AT).keys().toList());
      for (Tuple each : keys) {
        if (!each.equals(next) && clean(each.uuid(2))) {
          cleaned++;
        }
        if (cleaned == most) {
          return cleaned;
        }
      }
      if (keys.size() < LOOKED_AT || most < Long.MAX_VALUE) {
        return cleaned;
      }
      // The last one stands first in what comes next, if it is still there, and is passed over.
      next = keys.get(keys.size() - 1);
    }
  }

  private boolean clean(UUID id) {
    boolean isOver =
        session.transact(
            tx -> {
              Optional<Bytes> mark = tx.get(TABLE, key(id));
              boolean over = mark.isPresent() && isOver(mark.get());
              if (over && is(WRITING, mark)) {
                given(tx, id);
              }
              return over;
            });
    if (isOver) {
      delete(id);
    }
    return isOver;
  }

  private boolean isOver(Bytes mark) {
    long age = nowMillis.getAsLong() - since(mark);
    return is(GIVEN_UP, Optional.of(mark))
        ? age >= GRACE.toMillis()
        : is(WRITING, Optional.of(mark)) && age >= SILENCE_MAX.toMillis();
  }

  /** The mark is the last to go. */
  private void delete(UUID id) {
    session.deleteRange(chunks, TupleRange.prefix(Tuple.of(id)));
    session.execute(tx -> tx.delete(TABLE, key(id)));
  }
}
