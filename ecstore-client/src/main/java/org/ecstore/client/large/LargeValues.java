package org.ecstore.client.large;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.ecstore.client.Codec;
import org.ecstore.client.Session;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.TransactionWork;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Values of any size by keys, written and read as streams: files of users, pictures, exports. A
 * value is there as a whole or not at all, and one that is replaced is there until the new one is.
 *
 * <pre>{@code
 * LargeValues files = LargeValues.in(store, "files");
 *
 * try (LargeWriter writer = files.write()) {
 *   upload.transferTo(writer);
 *   store.execute(tx -> {
 *     writer.publish(tx, Tuple.of("alice", 1));
 *     tx.put(MAILS, Tuple.of("alice", 1), mail);
 *   });
 * }
 *
 * try (InputStream file = files.read(Tuple.of("alice", 1)).orElseThrow()) {
 *   file.transferTo(response);
 * }
 * }</pre>
 *
 * <p>A value is written in chunks of {@link #CHUNK_BYTES}, each in a transaction of its own, under
 * an id that none knows yet; to publish it is to commit one small record. So a writer needs the
 * memory of one chunk, and a reader too. Chunks that none will read again, of values that were
 * replaced, deleted or never published, are deleted by later writers, or by {@link #clean}.
 *
 * <p>Safe for use by several threads. Not within {@link Session#transact}, but for what takes a
 * transaction.
 */
public final class LargeValues {
  /** How many bytes of a value are written and read at once. */
  public static final int CHUNK_BYTES = 512 << 10;

  private static final String CHUNKS = "/chunks";

  /** The store's own. */
  private static final String RESERVED = "ecstore";

  private final Session session;
  private final Session own;
  private final String name;
  private final Table<LargeValue> heads;
  private final Table<Bytes> chunks;
  private final LargeMarks marks;

  private LargeValues(Session session, String name, LongSupplier nowMillis) {
    if (name.equals(RESERVED) || name.endsWith(CHUNKS)) {
      throw new WrongArgumentException(
          "large values cannot have this name: tables of the store itself, or of chunks, do",
          null,
          "name",
          name);
    }
    this.session = session;
    this.own = session.requiresNew();
    this.name = name;
    this.heads = Table.of(name, Codec.record(LargeValue.class));
    this.chunks = Table.of(name + CHUNKS, Codec.bytes());
    this.marks = new LargeMarks(own, name, chunks, nowMillis);
  }

  /**
   * Large values of a store.
   *
   * @param session a store, or one of its sessions
   * @param name of the table of what is known of them; their chunks are in table {@code
   *     name/chunks}
   * @throws WrongArgumentException if these are no names of tables
   */
  public static LargeValues in(Session session, String name) {
    return in(session, name, System::currentTimeMillis);
  }

  /** By a clock of the caller's. */
  static LargeValues in(Session session, String name, LongSupplier nowMillis) {
    return new LargeValues(session, name, nowMillis);
  }

  /** What is known of the values, by key: for scans and pages. Not to be written. */
  public Table<LargeValue> table() {
    return heads;
  }

  /** A writer of one value, which gets its key when it is published. */
  public LargeWriter write() {
    return new LargeWriter(this, UUID.randomUUID());
  }

  /**
   * Writes all that a stream has.
   *
   * @return what is known of it now
   * @throws IOException if the stream does; then nothing is written
   */
  public LargeValue write(Tuple key, InputStream from) throws IOException {
    try (LargeWriter writer = write()) {
      from.transferTo(writer);
      return writer.publish(key);
    }
  }

  /** What is known of a value; absent if there is none. */
  public Optional<LargeValue> find(Snapshot at, Tuple key) {
    return at.get(heads, key);
  }

  /** A value from its beginning; absent if there is none. */
  public Optional<InputStream> read(Tuple key) {
    return own.read(at -> find(at, key)).map(value -> read(value, 0));
  }

  /**
   * A value from a byte on, as for HTTP's ranges. It is the value that was found, also when another
   * has replaced it, for ten minutes at least.
   *
   * @param value of {@link #find}
   * @param from the first byte, from 0 to its size
   */
  public InputStream read(LargeValue value, long from) {
    if (from < 0 || from > value.size()) {
      throw new WrongArgumentException(
          "the value has no such byte", null, "from", from, "size", value.size());
    }
    return new LargeStream(own, chunks, value, from);
  }

  /**
   * Deletes a value.
   *
   * @return whether there was one
   */
  public boolean delete(Tuple key) {
    boolean deleted = session.transact(tx -> delete(tx, key));
    marks.cleanSome();
    return deleted;
  }

  /** The same, as part of a transaction. */
  public boolean delete(Transaction tx, Tuple key) {
    Optional<LargeValue> before = tx.get(heads, key);
    before.ifPresent(
        value -> {
          tx.delete(heads, key);
          marks.given(tx, value.id());
        });
    return before.isPresent();
  }

  /**
   * Deletes the chunks that none will read again, however many. Later writers do so as well.
   *
   * @return of how many values
   */
  public long clean() {
    return marks.clean();
  }

  /** The key of a chunk. */
  static Tuple chunk(UUID id, long number) {
    return Tuple.of(id, number);
  }

  LargeMarks marks() {
    return marks;
  }

  void writeChunk(UUID id, long number, Bytes chunk) {
    own.execute(
        tx -> {
          marks.written(tx, id, number == 0);
          tx.put(chunks, chunk(id, number), chunk);
        });
  }

  <T> T transact(TransactionWork<T, RuntimeException> work) {
    return session.transact(work);
  }

  /**
   * Puts a value in the place of the one before.
   *
   * @param number of the last chunk, which is not committed yet; those before it are
   */
  void publish(Transaction tx, Tuple key, LargeValue value, long number, Bytes last) {
    Optional<LargeValue> before = tx.get(heads, key);
    if (before.isPresent() && before.get().id().equals(value.id())) {
      return;
    }
    if (number > 0) {
      marks.published(tx, value.id());
    }
    if (last.length() > 0) {
      tx.put(chunks, chunk(value.id(), number), last);
    }
    before.ifPresent(old -> marks.given(tx, old.id()));
    tx.put(heads, key, value);
  }

  Instant now() {
    return marks.now();
  }

  @Override
  public String toString() {
    return "large values " + name;
  }
}
