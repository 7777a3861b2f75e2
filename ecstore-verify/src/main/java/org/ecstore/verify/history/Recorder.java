package org.ecstore.verify.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.model.ReadLevel;

/**
 * Writes down what clients do, in the order in which it happens: an invocation before the first
 * call is made, a completion after the answer is there. All lines go through one lock, so that the
 * order of the file is an order in real time. Safe for use by several threads.
 */
public final class Recorder implements AutoCloseable {
  private final BufferedWriter out;
  private final long startNanos = System.nanoTime();

  /** Guarded by this. */
  private long index;

  /** Guarded by this. */
  private boolean closed;

  /**
   * Writes to a file, which it makes.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it is there, maybe with another history
   */
  public Recorder(Path file) throws IOException {
    out =
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Nanoseconds since the beginning. */
  public long now() {
    return System.nanoTime() - startNanos;
  }

  /** A client begins, at a snapshot as fresh as said. Returns when. */
  public long invoke(long process, List<MicroOp> value, ReadLevel level) {
    return write(
        process,
        Line.Type.INVOKE,
        value,
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.of(level));
  }

  /** A client has an answer. Returns when. */
  public long complete(
      long process,
      Line.Type type,
      List<MicroOp> value,
      OptionalLong snapshot,
      OptionalLong number,
      Optional<String> error) {
    return write(process, type, value, snapshot, number, error, Optional.empty());
  }

  private synchronized long write(
      long process,
      Line.Type type,
      List<MicroOp> value,
      OptionalLong snapshot,
      OptionalLong number,
      Optional<String> error,
      Optional<ReadLevel> level) {
    long time = now();
    if (closed) {
      return time;
    }
    try {
      out.write(
          LineJson.write(
              new Line(index, time, process, type, value, snapshot, number, error, level)));
      out.write('\n');
      index++;
    } catch (IOException e) {
      throw new UncheckedIOException("the history cannot be written", e);
    }
    return time;
  }

  /** Ends the file. What comes later is left out. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      out.close();
    }
  }
}
