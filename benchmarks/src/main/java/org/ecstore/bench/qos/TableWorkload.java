package org.ecstore.bench.qos;

import java.util.List;
import java.util.Optional;
import org.ecstore.bench.ycsb.YcsbWorkload;

/**
 * What clients do while a table is measured: {@code zipf-read}, {@code uniform-write-heavy}. Paper:
 * Cassandra QoS §V, which has reads of both distributions.
 *
 * @param name as users and tables say it
 * @param mix of operations
 * @param distribution of the keys asked for, as YCSB calls it
 * @param readPercent how many of 100 operations are reads
 */
public record TableWorkload(
    String name, YcsbWorkload mix, String distribution, double readPercent) {
  /** What a record is: 10 fields of 100 bytes. */
  public static final int RECORD_BYTES = YcsbWorkload.RECORD_BYTES;

  private static final List<TableWorkload> ALL =
      List.of(
          new TableWorkload("zipf-read", YcsbWorkload.READ_ONLY, "zipfian", 100),
          new TableWorkload("zipf-read-heavy", YcsbWorkload.READ_HEAVY, "zipfian", 95),
          new TableWorkload("zipf-write-heavy", YcsbWorkload.WRITE_HEAVY, "zipfian", 50),
          new TableWorkload("zipf-write", YcsbWorkload.WRITE_ONLY, "zipfian", 0),
          new TableWorkload("uniform-read", YcsbWorkload.READ_ONLY, "uniform", 100),
          new TableWorkload("uniform-read-heavy", YcsbWorkload.READ_HEAVY, "uniform", 95),
          new TableWorkload("uniform-write-heavy", YcsbWorkload.WRITE_HEAVY, "uniform", 50),
          new TableWorkload("uniform-write", YcsbWorkload.WRITE_ONLY, "uniform", 0));

  /** The workload of a name; absent if there is none. */
  public static Optional<TableWorkload> of(String name) {
    return ALL.stream().filter(each -> each.name.equals(name)).findFirst();
  }

  /** All names. */
  public static List<String> names() {
    return ALL.stream().map(TableWorkload::name).toList();
  }
}
