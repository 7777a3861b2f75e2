package org.ecstore.tools.records;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Records as lines of JSON. Lines without anything but blanks are passed over. */
public final class JsonLines implements RecordSource {
  private final LineReader lines;
  private final RecordJson json;
  private long number;

  public JsonLines(InputStream in, String table) {
    lines = new LineReader(in);
    json = new RecordJson(table);
  }

  @Override
  public Optional<RecordLine> next() throws IOException, BadRecordException {
    Optional<byte[]> line = nextLine();
    return line.isEmpty() ? Optional.empty() : Optional.of(json.read(line.get()));
  }

  private Optional<byte[]> nextLine() throws IOException, BadRecordException {
    Optional<byte[]> line = lines.next();
    while (line.isPresent() && isBlank(line.get())) {
      line = lines.next();
    }
    number += line.isPresent() ? 1 : 0;
    return line;
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public long line() {
    return lines.number();
  }
}
