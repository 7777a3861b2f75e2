package org.ecstore.tools.records;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines of bytes. */
final class LineReader {
  /** The largest value, each byte of it written as six, with its key likewise, and names. */
  static final int LINE_BYTES_MAX = 8 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int filled;
  private long number;

  LineReader(InputStream in) {
    this.in = in;
  }

  /** How many lines were read. */
  long number() {
    return number;
  }

  /**
   * The next line without its end; absent behind the last one.
   *
   * @throws BadRecordException if it is longer than any record
   */
  Optional<byte[]> next() throws IOException, BadRecordException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    boolean any = false;
    while (fill()) {
      any = true;
      int from = at;
      while (at < filled && buffer[at] != '\n') {
        at++;
      }
      line.write(buffer, from, at - from);
      if (at < filled) {
        at++;
        number++;
        return Optional.of(line.toByteArray());
      }
      if (line.size() > LINE_BYTES_MAX) {
        number++;
        throw new BadRecordException("the line is longer than " + LINE_BYTES_MAX + " bytes");
      }
    }
    number += any ? 1 : 0;
    return any ? Optional.of(line.toByteArray()) : Optional.empty();
  }

  private boolean fill() throws IOException {
    if (at == filled) {
      at = 0;
      filled = Math.max(0, in.read(buffer));
    }
    return filled > 0;
  }
}
