package org.ecstore.tools.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where results are printed to. It remembers that some could not be: those who print do not hear of
 * it.
 */
final class ResultStream extends FilterOutputStream {
  private final Supplier<String> closedPipe;
  private @Nullable IOException failure;

  ResultStream(OutputStream to) {
    this(to, ResultStream::ofClosedPipe);
  }

  /**
   * As above.
   *
   * @param closedPipe what is said of a pipe that is closed
   */
  ResultStream(OutputStream to, Supplier<String> closedPipe) {
    super(to);
    this.closedPipe = closedPipe;
  }

  /** What this machine says of one, in the language of the user. */
  static String ofClosedPipe() {
    try {
      Pipe pipe = Pipe.open();
      try (Pipe.SinkChannel sink = pipe.sink()) {
        pipe.source().close();
        sink.write(ByteBuffer.wrap(new byte[1]));
      }
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
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
        .filter(why -> !isClosedPipe(why));
  }

  private boolean isClosedPipe(String why) {
    return why.toLowerCase(Locale.ROOT).contains("pipe") || why.equals(closedPipe.get());
  }
}
