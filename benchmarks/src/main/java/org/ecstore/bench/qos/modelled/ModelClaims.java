package org.ecstore.bench.qos.modelled;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.txn.qos.table.GridPoint;

/** What the paper says of Tables II to V (§V), and what modelled ones say of that. */
public final class ModelClaims {
  /** Of throughput that no longer grows, the greatest is at most so many times the least. */
  private static final double STEADY = 1.1;

  /** "About" and hit ratios without a decimal. */
  private static final double ABOUT = 0.1;

  private static final double POINTS = 0.03;
  private static final double ZIPF_HITS = 0.6;
  private static final double UNIFORM_HITS = 0.18;
  private static final int CLIENTS = 512;
  private static final int SMALL_NODES = 7;
  private static final int MEDIUM_NODES = 4;

  /** The most that the paper has of the medium class. */
  private static final int HIT_NODES = 5;

  private final List<ModelledTable> tables;

  private ModelClaims(List<ModelledTable> tables) {
    this.tables = tables;
  }

  /** The claims on which these tables can say something: some need several. */
  public static List<Claim> of(List<ModelledTable> tables) {
    ModelClaims claims = new ModelClaims(tables);
    List<Claim> all = new ArrayList<>();
    claims.moreNodes().ifPresent(all::add);
    claims.saturated().ifPresent(all::add);
    claims.mediumIsFaster().ifPresent(all::add);
    claims.fewerMedium().ifPresent(all::add);
    claims.zipfIsFaster().ifPresent(all::add);
    claims.hits().ifPresent(all::add);
    return all;
  }

  private static Optional<Claim> claim(String paper, String found, List<Margin> margins) {
    return margins.isEmpty() ? Optional.empty() : Optional.of(Claim.of(paper, found, margins));
  }

  private static Series byNodes(
      ModelledTable table, int clients, ToDoubleFunction<TableRun> figure) {
    Series series = new Series("%s, %d clients".formatted(table.subject().name(), clients));
    for (int nodes : table.course().nodes()) {
      series.add(nodes, table.repeated(new GridPoint(clients, nodes), figure));
    }
    return series;
  }

  private Optional<Claim> moreNodes() {
    List<Margin> margins = new ArrayList<>();
    List<Double> gains = new ArrayList<>();
    for (ModelledTable table : tables) {
      for (int clients : table.course().clients()) {
        String unit = "%s, %d clients on %%s".formatted(table.subject().name(), clients);
        Series millis = byNodes(table, clients, TableRun::millis);
        margins.addAll(Margin.falling(unit, millis));
        margins.addAll(Margin.rising(unit, byNodes(table, clients, TableRun::perSecond)));
        gains.add(millis.ys().getFirst() / millis.last());
      }
    }
    return claim(
        "As the cluster grows, response times fall and throughput rises.",
        String.format(
            Locale.ROOT,
            "from the fewest to the most nodes response times become 1/%.2f to 1/%.2f",
            gains.stream().mapToDouble(gain -> gain).min().orElse(0),
            gains.stream().mapToDouble(gain -> gain).max().orElse(0)),
        margins);
  }

  private Optional<Claim> saturated() {
    List<Margin> margins = new ArrayList<>();
    for (ModelledTable table : tables) {
      for (int nodes : table.course().nodes()) {
        Series rates = new Series("%s on %d".formatted(table.subject().name(), nodes));
        for (int clients : table.course().clients()) {
          rates.add(clients, table.repeated(new GridPoint(clients, nodes), TableRun::perSecond));
        }
        if (rates.size() > 1) {
          margins.add(Margin.steady(rates, STEADY));
        }
      }
    }
    return claim(
        "The servers are saturated: more clients have no more throughput (within a tenth).",
        "%d columns".formatted(margins.size()),
        margins);
  }

  /** Tables of two kinds that are alike otherwise, in each cell the one slower than the other. */
  private List<Margin> slower(boolean byClass) {
    List<Margin> margins = new ArrayList<>();
    for (ModelledTable one : tables) {
      for (ModelledTable other : tables) {
        boolean isPair =
            byClass
                ? one.subject().workload().equals(other.subject().workload())
                    && one.subject().nodeClass() == ModelledClass.SMALL
                    && other.subject().nodeClass() == ModelledClass.MEDIUM
                : one.subject().nodeClass() == other.subject().nodeClass()
                    && !one.subject().isZipf()
                    && other.subject().isZipf();
        if (isPair) {
          one.table()
              .cells()
              .keySet()
              .forEach(
                  point ->
                      margins.add(
                          Margin.above(
                              "%s, %d clients on %d"
                                  .formatted(
                                      one.subject().name(), point.clients(), point.servers()),
                              one.repeated(point, TableRun::millis),
                              other.repeated(point, TableRun::millis))));
        }
      }
    }
    return margins;
  }

  private static String longer(List<Margin> margins) {
    return String.format(
        Locale.ROOT,
        "%.0f %% longer on average of all cells",
        100 * margins.stream().mapToDouble(margin -> margin.by().median()).average().orElse(0));
  }

  private Optional<Claim> mediumIsFaster() {
    List<Margin> margins = slower(true);
    return claim(
        "For the same load and as many servers, medium is faster than small.",
        "small takes " + longer(margins),
        margins);
  }

  private Optional<Claim> fewerMedium() {
    GridPoint small = new GridPoint(CLIENTS, SMALL_NODES);
    GridPoint medium = new GridPoint(CLIENTS, MEDIUM_NODES);
    List<Margin> margins = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (ModelledTable one : tables) {
      for (ModelledTable other : tables) {
        if (one.subject().workload().equals(other.subject().workload())
            && one.subject().nodeClass() == ModelledClass.SMALL
            && other.subject().nodeClass() == ModelledClass.MEDIUM
            && one.table().cell(small).isPresent()
            && other.table().cell(medium).isPresent()) {
          Repeated times =
              other
                  .repeated(medium, TableRun::millis)
                  .with(one.repeated(small, TableRun::millis), (of, by) -> of / by);
          margins.add(
              new Margin(
                  one.subject().workload().name(), times.map(each -> ABOUT - Math.abs(each - 1))));
          found.add(
              String.format(
                  Locale.ROOT,
                  "%s: %.1f and %.1f ms",
                  one.subject().workload().name(),
                  one.repeated(small, TableRun::millis).median(),
                  other.repeated(medium, TableRun::millis).median()));
        }
      }
    }
    return claim(
        "512 clients have about the same on 7 small as on 4 medium servers (within a tenth).",
        String.join("; ", found),
        margins);
  }

  private Optional<Claim> zipfIsFaster() {
    List<Margin> margins = slower(false);
    return claim(
        "Zipf is faster than uniform, as caches have more of it.",
        "uniform takes " + longer(margins),
        margins);
  }

  private Optional<Claim> hits() {
    List<ModelledTable> fitting =
        tables.stream()
            .filter(
                table -> table.subject().isOfPaper() && table.course().nodes().contains(HIT_NODES))
            .toList();
    List<Margin> margins =
        fitting.stream()
            .map(
                table ->
                    new Margin(
                        table.subject().name(),
                        table
                            .hitRatio(HIT_NODES)
                            .map(ratio -> POINTS - Math.abs(ratio - said(table)))))
            .toList();
    return claim(
        "Row caches have 60 % of zipf's reads and 18 % of uniform ones (within 3 points, on 5).",
        fitting.stream()
            .map(
                table ->
                    String.format(
                        Locale.ROOT,
                        "%s %.1f %%",
                        table.subject().name(),
                        100 * table.hitRatio(HIT_NODES).median()))
            .collect(Collectors.joining(", ")),
        margins);
  }

  private static double said(ModelledTable table) {
    return table.subject().isZipf() ? ZIPF_HITS : UNIFORM_HITS;
  }
}
