package org.ecstore.bench.qos.modelled;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;

/**
 * How far the response times of a modelled table are from those of the paper's own, in the cells
 * that both have: shares of the paper's, above 0 where the model is slower.
 *
 * @param table number of the paper's
 * @param cells that both have, at least one
 * @param mean of the amounts of all
 * @param least of all
 * @param most of all
 */
record PaperDeviation(int table, int cells, double mean, double least, double most) {
  private static final List<String> NUMERALS = List.of("", "I", "II", "III", "IV", "V");

  /** Absent where they have no cell in common. */
  static Optional<PaperDeviation> of(PerformanceTable modelled, int table) {
    List<Double> shares = new ArrayList<>();
    paper(table)
        .cells()
        .forEach(
            (point, there) ->
                modelled
                    .cell(point)
                    .ifPresent(cell -> shares.add(cell.millis() / there.millis() - 1)));
    if (shares.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PaperDeviation(
            table,
            shares.size(),
            shares.stream().mapToDouble(Math::abs).average().orElse(0),
            shares.stream().mapToDouble(share -> share).min().orElse(0),
            shares.stream().mapToDouble(share -> share).max().orElse(0)));
  }

  /** A table of the paper, which are among the resources of the tables' package. */
  static PerformanceTable paper(int number) {
    String name = "cassandra-table-" + number + ".csv";
    try (InputStream in = PerformanceTable.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return TableReader.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its number as the paper has it. */
  String numeral() {
    return NUMERALS.get(table);
  }
}
