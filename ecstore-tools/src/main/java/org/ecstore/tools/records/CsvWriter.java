package org.ecstore.tools.records;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/** Records as lines of CSV, as {@link CsvRecords} reads them. */
public final class CsvWriter implements RecordSink {
  private final boolean opaque;

  /** Of text, or of whatever it is. */
  public CsvWriter() {
    this(false);
  }

  /**
   * Of values as they are.
   *
   * @param opaque whether they are no text, whatever they look like
   */
  public CsvWriter(boolean opaque) {
    this.opaque = opaque;
  }

  @Override
  public byte[] header() {
    return row(CsvRecords.HEADER);
  }

  @Override
  public byte[] bytes(RecordLine line) throws IOException {
    RecordJson.Written written =
        opaque ? RecordJson.opaque(line.value()) : RecordJson.written(line.value());
    String kind = written.kind().equals(RecordJson.VALUE) ? CsvRecords.JSON : written.kind();
    return row(List.of(RecordJson.key(line.key()), kind, written.text()));
  }

  private static byte[] row(List<String> cells) {
    return (CSVFormat.RFC4180.format(cells.toArray()) + "\r\n").getBytes(StandardCharsets.UTF_8);
  }
}
