package org.ecstore.tools.records;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/** Records as lines of CSV, as {@link CsvRecords} reads them. */
public final class CsvWriter implements RecordSink {
  @Override
  public byte[] header() {
    return row(CsvRecords.HEADER);
  }

  @Override
  public byte[] bytes(RecordLine line) throws IOException {
    RecordJson.Written written = RecordJson.written(line.value());
    String kind = written.kind().equals(RecordJson.VALUE) ? CsvRecords.JSON : written.kind();
    return row(List.of(RecordJson.key(line.key()), kind, written.text()));
  }

  private static byte[] row(List<String> cells) {
    return (CSVFormat.RFC4180.format(cells.toArray()) + "\r\n").getBytes(StandardCharsets.UTF_8);
  }
}
