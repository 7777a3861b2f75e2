package org.ecstore.tools.records;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;
import org.ecstore.client.Entry;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Table;
import org.ecstore.client.TupleRange;
import org.ecstore.key.Bytes;

/** Writes the records of a table as they are at one snapshot. */
public final class RecordExport {
  private static final int TELL_EVERY = 1_000;

  private RecordExport() {}

  /**
   * Writes a range of a table.
   *
   * @param told how many records are written, each thousand
   * @return how many there are
   */
  public static long run(
      ManualSnapshot snapshot,
      Table<Bytes> table,
      TupleRange range,
      RecordSink sink,
      OutputStream out,
      LongConsumer told)
      throws IOException {
    long records = 0;
    out.write(sink.header());
    for (Entry<Bytes> entry : snapshot.scan(table, range)) {
      out.write(sink.bytes(new RecordLine(entry.key(), entry.value())));
      records++;
      if (records % TELL_EVERY == 0) {
        told.accept(records);
      }
    }
    out.flush();
    told.accept(records);
    return records;
  }
}
