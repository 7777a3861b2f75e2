package org.ecstore.txn.qos.control;

import java.util.List;
import org.ecstore.txn.qos.measured.KeptTable;
import org.ecstore.txn.qos.measured.KnownTable;

/** Tables of records of 1000 bytes, on nodes that do one in 5 ms, and one each millisecond. */
final class ConsultedTables {
  static final int[] CLIENTS = {1, 8, 16, 32, 64};

  private ConsultedTables() {}

  static double millis(int clients, int nodes) {
    return 5 + (double) clients / nodes;
  }

  /** On two to four nodes; percentiles are thrice the mean, where there are any. */
  static KnownTable table(String name, int reads, boolean percentiles) {
    return of(name, reads, percentiles, ConsultedTables::millis);
  }

  /** A mean response time in milliseconds. */
  interface Millis {
    double of(int clients, int nodes);
  }

  /** The same with other response times. */
  static KnownTable of(String name, int reads, boolean percentiles, Millis mean) {
    StringBuilder text = new StringBuilder();
    text.append("# workload: zipf-read\n# reads-percent: ").append(reads).append('\n');
    text.append("# record-bytes: 1000\n");
    text.append("clients,servers,ms,MB/s,p99 ms\n");
    for (int clients : CLIENTS) {
      for (int nodes = 2; nodes <= 4; nodes++) {
        double millis = mean.of(clients, nodes);
        text.append(clients).append(',').append(nodes).append(',').append(millis);
        text.append(",1,").append(percentiles ? String.valueOf(3 * millis) : "").append('\n');
      }
    }
    return KnownTable.of(new KeptTable(name, text.toString(), 1)).orElseThrow();
  }

  static List<KnownTable> reads() {
    return List.of(table("reads", 100, true));
  }
}
