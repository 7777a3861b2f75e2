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
 * Writes one large value. What is written is seen by none until it is published; what was not
 * published when the writer is closed is dropped, so that a stream that breaks leaves nothing.
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
  private long written;
  private long size;
  private boolean closed;
  private @Nullable LargeValue finished;

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
   * Writes bytes; once a chunk is full it is committed.
   *
   * @throws org.ecstore.client.error.EcStoreException if that cannot be done
   */
  @Override
  public void write(byte[] bytes, int from, int count) {
    Objects.checkFromIndexSize(from, count, bytes.length);
    checkOpen();
    if (finished != null) {
      throw new ClosedException("the large value is complete: it was published", null);
    }
    digest.update(bytes, from, count);
    int at = from;
    int left = count;
    while (left > 0) {
      makeRoom(left);
      int now = Math.min(left, chunk.length - filled);
      System.arraycopy(bytes, at, chunk, filled, now);
      filled += now;
      at += now;
      left -= now;
      if (filled == LargeValues.CHUNK_BYTES) {
        commitChunk();
      }
    }
    size += count;
  }

  /** A small value needs little memory. */
  private void makeRoom(int more) {
    if (filled == chunk.length) {
      int wanted = Math.max(2 * chunk.length, filled + Math.min(more, LargeValues.CHUNK_BYTES));
      chunk = Arrays.copyOf(chunk, Math.min(LargeValues.CHUNK_BYTES, wanted));
    }
  }

  private void commitChunk() {
    values.writeChunk(id, written, Bytes.wrap(Arrays.copyOf(chunk, filled)));
    written++;
    filled = 0;
  }

  private LargeValue finish() {
    checkOpen();
    LargeValue known = finished;
    if (known == null) {
      if (filled > 0 || written == 0) {
        // Also of nothing: it has the mark that is needed to publish.
        commitChunk();
      }
      known =
          new LargeValue(
              id, size, LargeValues.CHUNK_BYTES, Bytes.wrap(digest.digest()), values.now());
      finished = known;
      chunk = new byte[0];
    }
    return known;
  }

  /**
   * Publishes the value under a key, in the place of the one that is there.
   *
   * @return what is known of it now
   */
  public LargeValue publish(Tuple key) {
    return values.publish(key, finish());
  }

  /** The same, as part of a transaction: it is there once that is committed, if it is. */
  public LargeValue publish(Transaction tx, Tuple key) {
    LargeValue value = finish();
    values.publish(tx, key, value);
    return value;
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException("the writer of a large value is closed", null);
    }
  }

  /** Drops the value unless it was published by a transaction that is committed. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      chunk = new byte[0];
      if (written > 0) {
        values.marks().drop(id);
      }
    }
  }
}
