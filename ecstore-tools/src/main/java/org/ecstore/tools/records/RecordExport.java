package org.ecstore.tools.records;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.ecstore.client.Cursor;
import org.ecstore.client.Entry;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Scan;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;

/** Writes the records of a table as they are at one snapshot, or what is behind some of them. */
public final class RecordExport {
  private static final int TELL_EVERY = 1_000;
  private static final int MARK_RECORDS = 50_000;
  private static final long MARK_BYTES = 64L << 20;

  /** Notes how far an export has come: what is written by then is on disk. */
  public interface Mark {
    /**
     * It has come so far.
     *
     * @param records that are written
     * @param token to go on with
     */
    void at(long records, String token) throws IOException;
  }

  private RecordExport() {}

  /**
   * Where an export goes on.
   *
   * @param records that are written
   */
  public record From(long records, String token) {}

  /**
   * Writes a table.
   *
   * @param from behind which records, and how many these are; none for all, with the header
   * @param told how many records are written, each thousand
   * @param mark told each 50,000 or 64 MiB, when what was written has left this program
   * @return how many there are
   */
  public static long run(
      ManualSnapshot snapshot,
      Table<Bytes> table,
      RecordSink sink,
      Optional<From> from,
      OutputStream out,
      LongConsumer told,
      Mark mark)
      throws IOException {
    long records = from.map(From::records).orElse(0L);
    if (from.isEmpty()) {
      out.write(sink.header());
    }
    Scan<Bytes> scan = snapshot.scan(table);
    Cursor<Bytes> cursor =
        from.isPresent() ? scan.resume(from.get().token()).cursor() : scan.cursor();
    long sinceMark = 0;
    long bytesSinceMark = 0;
    while (cursor.hasNext()) {
      Entry<Bytes> entry = cursor.next();
      byte[] line = sink.bytes(new RecordLine(entry.key(), entry.value()));
      out.write(line);
      records++;
      sinceMark++;
      bytesSinceMark += line.length;
      if (records % TELL_EVERY == 0) {
        told.accept(records);
      }
      if (sinceMark >= MARK_RECORDS || bytesSinceMark >= MARK_BYTES) {
        sinceMark = 0;
        bytesSinceMark = 0;
        Optional<String> token = cursor.continuation();
        if (token.isPresent()) {
          out.flush();
          mark.at(records, token.get());
        }
      }
    }
    out.flush();
    told.accept(records);
    return records;
  }
}
