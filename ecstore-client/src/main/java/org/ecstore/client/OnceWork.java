package org.ecstore.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Work that is done once under a key. With it a record is committed of what came of it, and an
 * entry by which the record is found when it is over:
 *
 * <pre>
 *   ecstore, ("once", key)                       format 1 | when it is over, 8 bytes | what came of it
 *   ecstore, ("once-over", part, when, key)      nothing
 * </pre>
 *
 * <p>Two that come at the same time both write the record: one of them is run again, and finds it.
 * The entries are in parts, so that not all are written at the end of one range.
 */
final class OnceWork {
  static final Table<Bytes> TABLE = Table.of(StoredTokenKey.TABLE.name(), Codec.bytes());
  static final int KEY_LENGTH_MAX = 255;

  private static final String RECORD = "once";
  private static final String OVER = "once-over";
  private static final byte FORMAT = 1;
  private static final int HEAD_BYTES = 1 + Long.BYTES;
  private static final int PARTS = 16;

  /** So many records are deleted at once, after one in so many that were made: more than come. */
  private static final int DELETED_AT_ONCE = 256;

  private static final int CLEANING_OF = 64;

  /** The caller waits for it, and its own request is done. */
  private static final Duration CLEANING_MAX = Duration.ofSeconds(1);

  private final TypedSession session;
  private final long retentionMillis;
  private final LongSupplier nowMillis;

  OnceWork(TypedSession session, Duration retention) {
    this(session, retention, System::currentTimeMillis);
  }

  /** By a clock of the caller's. */
  OnceWork(TypedSession session, Duration retention, LongSupplier nowMillis) {
    this.session = session;
    this.retentionMillis = retention.toMillis();
    this.nowMillis = nowMillis;
  }

  private interface Step<X extends Exception> {
    Bytes run(Transaction tx) throws X;
  }

  <T, X extends Exception> Once<T> run(String key, Codec<T> codec, TransactionWork<T, X> work)
      throws X {
    Table<T> results = Table.of(TABLE.name(), codec);
    Once<Bytes> done = once(key, tx -> results.encode(work.run(tx)));
    return new Once<>(
        results.decode(TABLE.key(Tuple.of(RECORD, key)), done.result()), done.doneNow());
  }

  <X extends Exception> boolean isFirst(String key, TransactionAction<X> action) throws X {
    return this.<X>once(
            key,
            tx -> {
              action.run(tx);
              return Bytes.EMPTY;
            })
        .doneNow();
  }

  private <X extends Exception> Once<Bytes> once(String key, Step<X> step) throws X {
    if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
      throw new WrongArgumentException(
          "an idempotency key is of 1 to " + KEY_LENGTH_MAX + " characters",
          null,
          "characters",
          key.length());
    }
    Once<Bytes> done = session.<Once<Bytes>, X>transact(tx -> once(tx, key, step));
    // Within other work nothing is committed yet, and time is that work's.
    if (done.doneNow() && !session.isWithinWork() && Math.floorMod(mixed(key), CLEANING_OF) == 0) {
      clean(Math.floorMod(mixed(key) / CLEANING_OF, PARTS));
    }
    return done;
  }

  private <X extends Exception> Once<Bytes> once(Transaction tx, String key, Step<X> step)
      throws X {
    long now = nowMillis.getAsLong();
    Optional<Bytes> before = tx.get(TABLE, Tuple.of(RECORD, key));
    if (before.isPresent()) {
      ByteBuffer record = read(key, before.get());
      long over = record.getLong();
      if (now < over) {
        byte[] result = new byte[record.remaining()];
        record.get(result);
        return new Once<>(Bytes.wrap(result), false);
      }
      tx.delete(TABLE, over(part(key), over, key));
    }
    Bytes result = step.run(tx);
    long over = now + retentionMillis;
    byte[] record =
        ByteBuffer.allocate(HEAD_BYTES + result.length())
            .put(FORMAT)
            .putLong(over)
            .put(result.array())
            .array();
    tx.put(TABLE, Tuple.of(RECORD, key), Bytes.wrap(record));
    tx.put(TABLE, over(part(key), over, key), Bytes.EMPTY);
    return new Once<>(result, true);
  }

  private static ByteBuffer read(String key, Bytes stored) {
    ByteBuffer record = ByteBuffer.wrap(stored.array());
    if (record.remaining() < HEAD_BYTES || record.get() != FORMAT) {
      throw new WrongArgumentException(
          "what is kept under the idempotency key was written by a later ecStore, or overwritten",
          null,
          "table",
          TABLE.name(),
          "key",
          Tuple.of(RECORD, key));
    }
    return record;
  }

  private static Tuple over(int part, long millis, String key) {
    return Tuple.of(OVER, (long) part, millis, key);
  }

  private static int part(String key) {
    return Math.floorMod(mixed(key), PARTS);
  }

  /** Keys that differ in their ends only have hash codes that are near. */
  private static int mixed(String key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  /** Deletes some of what is over; the next time does what this one cannot. */
  void clean(int part) {
    try {
      session.requiresNew().within(CLEANING_MAX).execute(tx -> clean(tx, part));
    } catch (EcStoreException leftToTheNext) {
      // What is over is in no one's way: it is looked at before it is believed.
    }
  }

  private void clean(Transaction tx, int part) {
    TupleRange over =
        TupleRange.between(
            Tuple.of(OVER, (long) part), Tuple.of(OVER, (long) part, nowMillis.getAsLong() + 1));
    List<Tuple> keys = tx.scan(TABLE, over).limit(DELETED_AT_ONCE).keys().toList();
    for (Tuple each : keys) {
      tx.delete(TABLE, each);
      tx.delete(TABLE, Tuple.of(RECORD, each.element(3)));
    }
  }
}
