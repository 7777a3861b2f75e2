package org.ecstore.tools.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where results are printed to. It remembers that some could not be: those who print do not hear of
 * it.
 */
final class ResultStream extends FilterOutputStream {
  private @Nullable IOException failure;

  ResultStream(OutputStream to) {
    super(to);
  }

  @Override
  public synchronized void write(int octet) throws IOException {
    try {
      out.write(octet);
    } catch (IOException e) {
      throw noted(e);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      throw noted(e);
    }
  }

  @Override
  public synchronized void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw noted(e);
    }
  }

  private IOException noted(IOException e) {
    failure = failure == null ? e : failure;
    return e;
  }

  /**
   * Why results are lost; absent if none are. Those behind the end of a closed pipe are not: who
   * read it, as {@code head}, had enough.
   */
  synchronized Optional<String> loss() {
    return Optional.ofNullable(failure)
        .map(e -> String.valueOf(e.getMessage()))
        .filter(why -> !why.toLowerCase(Locale.ROOT).contains("pipe"));
  }
}
