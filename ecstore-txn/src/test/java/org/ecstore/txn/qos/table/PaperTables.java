package org.ecstore.txn.qos.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Tables II to V of the Cassandra QoS paper, as they are among the resources. */
public final class PaperTables {
  private PaperTables() {}

  public static String text(int number) {
    String name = "cassandra-table-" + number + ".csv";
    try (InputStream in = PerformanceTable.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static PerformanceTable table(int number) {
    return TableReader.read(text(number));
  }
}
