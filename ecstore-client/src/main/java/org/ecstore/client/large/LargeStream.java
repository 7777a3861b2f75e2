package org.ecstore.client.large;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.client.Session;
import org.ecstore.client.SnapshotWork;
import org.ecstore.client.Table;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;

/** Reads one large value, a chunk at a time. For one thread at a time. */
final class LargeStream extends InputStream {
  private final Session session;
  private final Table<Bytes> chunks;
  private final LargeValue value;
  private long next;
  private long held = -1;
  private byte[] chunk = new byte[0];
  private boolean closed;

  LargeStream(Session session, Table<Bytes> chunks, LargeValue value, long from) {
    this.session = session;
    this.chunks = chunks;
    this.value = value;
    this.next = from;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, into.length);
    checkOpen();
    if (count == 0) {
      return 0;
    } else if (next == value.size()) {
      return -1;
    }
    hold(next / value.chunkBytes());
    int begin = (int) (next % value.chunkBytes());
    int read = Math.min(count, chunk.length - begin);
    System.arraycopy(chunk, begin, into, from, read);
    next += read;
    return read;
  }

  /** Costs nothing: chunks that are passed over are not read. */
  @Override
  public long skip(long count) throws IOException {
    checkOpen();
    long skipped = Math.max(0, Math.min(count, value.size() - next));
    next += skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    checkOpen();
    return next / value.chunkBytes() == held ? chunk.length - (int) (next % value.chunkBytes()) : 0;
  }

  private void hold(long number) {
    if (number == held) {
      return;
    }
    SnapshotWork<Optional<Bytes>, RuntimeException> work =
        at -> at.get(chunks, LargeValues.chunk(value.id(), number));
    Optional<Bytes> found = session.read(work);
    if (found.isEmpty()) {
      // A copy that lags may not have it yet.
      found = session.read(ReadLevel.STRONG, work);
    }
    if (found.isEmpty()) {
      throw new SnapshotTooOldException(
          "the large value was replaced or deleted while it was read, and its chunks are gone: find"
              + " it again",
          null,
          "table",
          chunks.name(),
          "id",
          value.id());
    }
    long expected = Math.min(value.chunkBytes(), value.size() - number * value.chunkBytes());
    if (found.get().length() != expected) {
      throw new WrongArgumentException(
          "a chunk of a large value is not as it was written",
          null,
          "table",
          chunks.name(),
          "id",
          value.id(),
          "chunk",
          number,
          "bytes",
          found.get().length(),
          "expected",
          expected);
    }
    chunk = found.get().array();
    held = number;
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    chunk = new byte[0];
    held = -1;
  }
}
