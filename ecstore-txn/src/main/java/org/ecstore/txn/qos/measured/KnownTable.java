package org.ecstore.txn.qos.measured;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.InvalidTableException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;

/** A kept table that was read; of each statistic a forecast is made when it is asked for. */
public final class KnownTable {
  /**
   * Up to so many times its last row a table is asked for that row: what is under way at once is a
   * mean of what was measured, and not counted.
   */
  private static final double BEYOND = 1.05;

  private static final double WHOLE = 1e-6;

  private final KeptTable kept;
  private final PerformanceTable table;
  private final Map<Statistic, Forecast> forecasts = new EnumMap<>(Statistic.class);

  private KnownTable(KeptTable kept, PerformanceTable table) {
    this.kept = kept;
    this.table = table;
  }

  /** A kept table; absent if it is none that this release reads. */
  public static Optional<KnownTable> of(KeptTable kept) {
    try {
      return Optional.of(new KnownTable(kept, TableReader.read(kept.text())));
    } catch (InvalidTableException e) {
      return Optional.empty();
    }
  }

  public String name() {
    return kept.name();
  }

  public KeptTable kept() {
    return kept;
  }

  public PerformanceTable table() {
    return table;
  }

  /** The most nodes that it has. */
  public int nodesMost() {
    return table.servers().last();
  }

  /** The fewest nodes that it has. */
  public int nodesFewest() {
    return table.servers().first();
  }

  /** The fewest clients that it has: of fewer it says what it says of these. */
  public int clientsFewest() {
    return table.clients().first();
  }

  /** The most clients that it says anything of. */
  public double clientsMost() {
    return table.clients().last() * BEYOND;
  }

  /**
   * A response time that is foretold.
   *
   * @param cells that decided; none where it was the curve through all of them
   */
  public record Place(double millis, SortedSet<GridPoint> cells) {}

  /**
   * A response time of a statistic that each cell has.
   *
   * @param clients under way at once; fewer than the table has count as its fewest
   * @return absent beyond the table
   */
  public Optional<Place> at(Statistic statistic, double clients, int nodes) {
    if (!(clients <= clientsMost())) {
      return Optional.empty();
    }
    double within = Math.clamp(clients, clientsFewest(), table.clients().last());
    int lower = (int) Math.floor(within);
    double weight = within - lower;
    Optional<Place> low = at(statistic, new GridPoint(lower, nodes));
    return weight < WHOLE
        ? low
        : low.flatMap(
            place ->
                at(statistic, new GridPoint(lower + 1, nodes))
                    .map(high -> between(place, high, weight)));
  }

  private Optional<Place> at(Statistic statistic, GridPoint point) {
    Forecast forecast =
        forecasts.computeIfAbsent(
            statistic, wanted -> new Forecast(table, wanted, Forecast.Way.BETTER));
    return forecast.at(point).map(KnownTable::place);
  }

  private static Place place(Prediction prediction) {
    return new Place(prediction.millis(), new TreeSet<>(prediction.cells()));
  }

  private static Place between(Place low, Place high, double weight) {
    SortedSet<GridPoint> cells = new TreeSet<>(low.cells());
    cells.addAll(high.cells());
    return new Place(low.millis() * (1 - weight) + high.millis() * weight, cells);
  }

  /** The cells of some places, for people: {@code cells 8 on 3, 16 on 3}. */
  public static String cells(List<Place> places) {
    SortedSet<GridPoint> all = new TreeSet<>();
    boolean isFitted = false;
    for (Place place : places) {
      all.addAll(place.cells());
      isFitted |= place.cells().isEmpty();
    }
    List<String> words =
        all.stream().map(cell -> "%d on %d".formatted(cell.clients(), cell.servers())).toList();
    String named = "cells " + String.join(", ", words);
    if (words.isEmpty()) {
      return "the curve through all cells";
    }
    return isFitted ? named + " and the curve through all" : named;
  }

  /** For people: {@code 4 to 64 clients on 1 to 6 nodes}. */
  public String size() {
    return "%s clients on %s nodes"
        .formatted(
            span(table.clients().first(), table.clients().last()),
            span(table.servers().first(), table.servers().last()));
  }

  private static String span(int first, int last) {
    return first == last ? String.valueOf(first) : first + " to " + last;
  }
}
