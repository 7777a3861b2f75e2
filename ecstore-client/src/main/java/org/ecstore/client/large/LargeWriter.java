package org.ecstore.client.large;

import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.ClosedException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Writes one large value. What is written is seen by none until it is published; what is closed
 * before that is dropped, so that a stream that breaks leaves nothing. If a write fails the value
 * cannot be gone on with.
 *
 * <p>An hour without a byte, and the value is taken for given up: to publish it fails then. For one
 * thread at a time.
 */
public final class LargeWriter extends OutputStream {
  private final LargeValues values;
  private final UUID id;
  private final MessageDigest digest;
  private byte[] chunk = new byte[0];
  private int filled;
  private long committed;
  private long size;
  private boolean broken;
  private boolean closed;
  private @Nullable LargeValue finished;
  private @Nullable Tuple published;

  LargeWriter(LargeValues values, UUID id) {
    this.values = values;
    this.id = id;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  /**
   * Writes bytes; once a chunk is full, and more comes, it is committed.
   *
   * @throws org.ecstore.client.error.EcStoreException if that cannot be done; the value is lost
   *     then
   */
  @Override
  public void write(byte[] bytes, int from, int count) {
    Objects.checkFromIndexSize(from, count, bytes.length);
    checkUsable();
    if (finished != null) {
      throw new ClosedException("the large value is complete: it was published", null);
    }
    broken = true;
    int at = from;
    int left = count;
    while (left > 0) {
      if (filled == LargeValues.CHUNK_BYTES) {
        values.writeChunk(id, committed, held());
        committed++;
        filled = 0;
      }
      makeRoom(left);
      int now = Math.min(left, chunk.length - filled);
      System.arraycopy(bytes, at, chunk, filled, now);
      filled += now;
      at += now;
      left -= now;
    }
    if (committed > 0) {
      values.marks().stillWriting(id);
    }
    digest.update(bytes, from, count);
    size += count;
    broken = false;
  }

  /** A small value needs little memory. */
  private void makeRoom(int more) {
    if (filled == chunk.length) {
      int wanted = Math.max(2 * chunk.length, filled + Math.min(more, LargeValues.CHUNK_BYTES));
      chunk = Arrays.copyOf(chunk, Math.min(LargeValues.CHUNK_BYTES, wanted));
    }
  }

  /** What is not committed yet: the last chunk, which is committed with the value's record. */
  private Bytes held() {
    return Bytes.wrap(Arrays.copyOf(chunk, filled));
  }

  /**
   * Publishes the value under a key, in the place of the one that is there. It may be done again,
   * as after an {@link org.ecstore.client.error.UnknownOutcomeException}.
   *
   * @return what is known of it now
   */
  public LargeValue publish(Tuple key) {
    return values.transact(tx -> publish(tx, key));
  }

  /** The same, as part of a transaction: it is there once that is committed, if it is. */
  public LargeValue publish(Transaction tx, Tuple key) {
    checkUsable();
    if (published != null && !published.equals(key)) {
      throw new ClosedException(
          "the large value was published under another key: write it again for this one",
          null,
          "key",
          published);
    }
    published = key;
    LargeValue value = finished;
    if (value == null) {
      value =
          new LargeValue(
              id, size, LargeValues.CHUNK_BYTES, Bytes.wrap(digest.digest()), values.now());
      finished = value;
    }
    values.publish(tx, key, value, committed, held());
    return value;
  }

  private void checkUsable() {
    if (closed) {
      throw new ClosedException("the writer of a large value is closed", null);
    } else if (broken) {
      throw new ClosedException(
          "a write of the large value has failed, and it is not known what it has: write it again",
          null);
    }
  }

  /**
   * Drops the value, if it was not published. One that was, by a transaction that is not committed
   * in the end, is cleaned away after an hour.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      chunk = new byte[0];
      if (finished == null && committed > 0) {
        values.marks().drop(id);
      }
      values.marks().ended(id);
      values.marks().cleanSome();
    }
  }
}
