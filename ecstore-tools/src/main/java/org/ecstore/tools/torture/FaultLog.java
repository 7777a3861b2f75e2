package org.ecstore.tools.torture;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What was done to the cluster, line by line, with the seconds of the history's clock: to be laid
 * beside the nodes' logs when something was found. Safe for use by several threads.
 */
final class FaultLog implements AutoCloseable {
  private final BufferedWriter out;
  private final LongSupplier clock;

  /** Guarded by this. */
  private boolean closed;

  /** Writes to a file, which is made anew. */
  FaultLog(Path file, LongSupplier clock) throws IOException {
    this.out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    this.clock = clock;
  }

  synchronized void say(String text) {
    if (closed) {
      return;
    }
    double seconds = TimeUnit.NANOSECONDS.toMillis(clock.getAsLong()) / 1e3;
    try {
      out.write(
          String.format(
              Locale.ROOT, "%s %8.3f %s%n", LocalTime.now(ZoneId.systemDefault()), seconds, text));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the log of faults cannot be written", e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      out.close();
    }
  }
}
