package org.ecstore.engines.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;

/**
 * A part of a batch that is written in one step, during which the server does nothing else. The
 * metadata are in the last one (rule W4).
 */
record WriteStep(List<Row> puts, List<Bytes> deletes, List<MetadataEntry> metadata) {
  static final WriteStep NOTHING = new WriteStep(List.of(), List.of(), List.of());

  private static final int ROWS_MAX = 500;
  private static final long BYTES_MAX = 1 << 20;

  static List<WriteStep> of(StoreBatch batch) {
    List<WriteStep> steps = new ArrayList<>();
    List<Row> puts = new ArrayList<>();
    long bytes = 0;
    for (Row row : batch.puts()) {
      puts.add(row);
      bytes += row.key().length() + row.value().length();
      if (puts.size() == ROWS_MAX || bytes >= BYTES_MAX) {
        steps.add(new WriteStep(puts, List.of(), List.of()));
        puts = new ArrayList<>();
        bytes = 0;
      }
    }
    List<Bytes> deletes = batch.deletes();
    int from = 0;
    for (; deletes.size() - from > ROWS_MAX; from += ROWS_MAX) {
      steps.add(new WriteStep(List.of(), deletes.subList(from, from + ROWS_MAX), List.of()));
    }
    List<Bytes> rest = deletes.subList(from, deletes.size());
    if (!puts.isEmpty() || !rest.isEmpty() || !batch.metadata().isEmpty()) {
      steps.add(new WriteStep(puts, rest, lastOfEachName(batch.metadata())));
    }
    return steps;
  }

  /** The script puts before it deletes: of each name there must be one entry, the last one. */
  private static List<MetadataEntry> lastOfEachName(List<MetadataEntry> metadata) {
    Map<Bytes, MetadataEntry> last = new LinkedHashMap<>();
    metadata.forEach(entry -> last.put(entry.name(), entry));
    return List.copyOf(last.values());
  }

  /** As the script has them. */
  List<byte[]> arguments() {
    List<MetadataEntry> kept =
        metadata.stream().filter(entry -> entry.value().isPresent()).toList();
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(count(puts.size()));
    arguments.add(count(deletes.size()));
    arguments.add(count(kept.size()));
    arguments.add(count(metadata.size() - kept.size()));
    for (Row row : puts) {
      arguments.add(row.key().array());
      arguments.add(StoredRow.of(row));
    }
    deletes.forEach(key -> arguments.add(key.array()));
    for (MetadataEntry entry : kept) {
      arguments.add(entry.name().array());
      entry.value().map(Bytes::array).ifPresent(arguments::add);
    }
    metadata.stream()
        .filter(entry -> entry.value().isEmpty())
        .forEach(entry -> arguments.add(entry.name().array()));
    return arguments;
  }

  private static byte[] count(int number) {
    return Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
  }
}
