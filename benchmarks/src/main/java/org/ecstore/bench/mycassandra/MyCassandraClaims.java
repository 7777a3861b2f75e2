package org.ecstore.bench.mycassandra;

import static org.ecstore.bench.ycsb.YcsbKinds.READ;
import static org.ecstore.bench.ycsb.YcsbKinds.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.figure.Verdict;

/**
 * What the papers say (MyCassandra, SYSTOR 2012, figures 4 to 6 and 11 to 16, §3.2.1 and §5.2, and
 * the Japanese paper), and what a run of several rounds says of it. What the paper says in numbers
 * stands in the words; tested is which of two is greater.
 */
final class MyCassandraClaims {
  private static final String MEAN = "mean";
  private static final String P99 = "p99";

  /** Kinds are about as fast at updates if none is so many times as fast as another. */
  private static final double ABOUT = 1.5;

  /** Cassandra's, in all settings. */
  private static final int COPIES_OF_PEER = 3;

  private static final String ALIKE =
      "Here, not in the paper: updates wait for the ledger and not for an engine, so that no kind"
          + " does 1.5 times as many as another";

  private final MeasuredMixes measured;
  private final Experiment experiment;
  private final Experiment.Clusters clusters;

  private MyCassandraClaims(MeasuredMixes measured, Experiment experiment) {
    this.measured = measured;
    this.experiment = experiment;
    this.clusters = experiment.clusters();
  }

  /**
   * All parts of the experiment: clusters of one kind, where copies are, the cluster of several
   * kinds beside Cassandra, and its distributions.
   *
   * @param comparison as {@link org.ecstore.bench.compare.Comparison#json} has it
   */
  static List<FigureReport> reports(JsonNode comparison, Experiment experiment) {
    MeasuredMixes measured = new MeasuredMixes(comparison);
    MyCassandraClaims claims = new MyCassandraClaims(measured, experiment);
    Map<String, String> settings =
        Map.of(
            "records", comparison.path("records").asText(),
            "rounds", comparison.path("rounds").asText(),
            "(N, W, R)", experiment.sizes(),
            "rate of the latencies", experiment.rate() + " per s");
    String how = "Processes of this machine, one store at a time, in turns.";
    return List.of(
        new FigureReport(
            4, "Clusters of one kind of engine", how, settings, List.of(), claims.ofOneKind()),
        new FigureReport(
            9,
            "Where copies are",
            how,
            settings,
            List.of(),
            new PlacementClaims(measured, experiment).all()),
        new FigureReport(
            11,
            "A cluster of several kinds beside Cassandra",
            how,
            settings,
            claims.charts(experiment.rate()),
            claims.ofSeveralKinds()),
        new FigureReport(
            13, "Distributions of latencies", how, settings, List.of(), claims.ofDistributions()));
  }

  private List<Claim> ofOneKind() {
    String writing = clusters.writing();
    String reading = clusters.reading();
    String memory = clusters.memory();
    List<Claim> claims = new ArrayList<>();
    claims.add(
        more(
            "An engine made for writing does more updates than one made for reading (11.79 times)",
            writing,
            reading,
            throughput(Mix.WRITE_ONLY)));
    claims.add(
        more(
            "An engine made for reading does more reads than one made for writing (9.87 times)",
            reading,
            writing,
            throughput(Mix.READ_ONLY)));
    claims.add(
        more(
            "One in memory does more updates than one made for writing",
            memory,
            writing,
            throughput(Mix.WRITE_ONLY)));
    claims.add(
        more(
            "One in memory does more reads than one made for reading",
            memory,
            reading,
            throughput(Mix.READ_ONLY)));
    claims.add(
        more(
            "Updates take less time on one made for writing than on one made for reading (89.7 % less)",
            reading, writing, latency(Mix.WRITE_ONLY, UPDATE, MEAN)));
    claims.add(
        more(
            "Reads take less time on one made for reading than on one made for writing (80.3 % less)",
            writing, reading, latency(Mix.READ_HEAVY, READ, MEAN)));
    claims.add(alike(ALIKE, "updates on each kind of engine", clusters.ofOneKind()));
    return claims;
  }

  /** That no store does {@link #ABOUT} times as many updates as another. */
  private Claim alike(String paper, String where, List<String> stores) {
    Series updates = new Series(where);
    double at = 0;
    for (String store : stores) {
      Optional<Repeated> found = measured.throughput(store, Mix.WRITE_ONLY);
      if (found.isEmpty()) {
        return unmeasured(paper, store, Mix.WRITE_ONLY.workload());
      }
      updates.add(at++, found.get());
    }
    return Claim.of(
        paper,
        updates.ys().stream()
            .map(perSecond -> String.format(Locale.ROOT, "%,.0f", perSecond))
            .collect(Collectors.joining(", ", "", " per s")),
        List.of(Margin.steady(updates, ABOUT)));
  }

  private List<Claim> ofSeveralKinds() {
    String mixed = clusters.mixed();
    String peer = clusters.peer();
    List<Claim> claims = new ArrayList<>();
    claims.add(
        more(
            "It does more reads, read-only (11.0 times; Japanese paper 6.53)",
            mixed,
            peer,
            throughput(Mix.READ_ONLY)));
    claims.add(
        more(
            "It does more, read-heavy (Japanese paper 1.49 times)",
            mixed,
            peer,
            throughput(Mix.READ_HEAVY)));
    claims.add(
        more(
            "It does more, write-heavy (Japanese paper: Cassandra is ahead)",
            mixed,
            peer,
            throughput(Mix.WRITE_HEAVY)));
    claims.add(
        more(
            "It does fewer updates, write-only (13 % fewer)",
            peer, mixed, throughput(Mix.WRITE_ONLY)));
    claims.add(
        more(
            "Its reads take less time, read-only (90 % less)",
            peer, mixed, latency(Mix.READ_ONLY, READ, MEAN)));
    claims.add(
        more(
            "Its reads take less time, write-heavy (83 % less)",
            peer, mixed, latency(Mix.WRITE_HEAVY, READ, MEAN)));
    claims.add(
        more(
            "Its reads take less time, read-heavy (Japanese paper: 85 % less)",
            peer, mixed, latency(Mix.READ_HEAVY, READ, MEAN)));
    claims.add(
        more(
            "Its updates take more time (0.3 to 0.6 ms more)",
            mixed,
            peer,
            latency(Mix.WRITE_HEAVY, UPDATE, MEAN)));
    if (experiment.quorum().n() > COPIES_OF_PEER) {
      claims.add(
          alike(
              "Its updates are about as many, as both wait for two that write fast (§5.2): neither does 1.5 times as many",
              "updates of both",
              List.of(mixed, peer)));
    }
    return claims;
  }

  private List<Claim> ofDistributions() {
    String mixed = clusters.mixed();
    String peer = clusters.peer();
    List<Claim> claims = new ArrayList<>();
    claims.add(
        more(
            "99 of 100 of its reads are sooner done, read-only (104 against 486 ms: 78.6 % less, figure 15)",
            peer, mixed, latency(Mix.READ_ONLY, READ, P99)));
    claims.add(
        more(
            "99 of 100 of its reads are sooner done, write-heavy (77.7 % less, figure 14)",
            peer, mixed, latency(Mix.WRITE_HEAVY, READ, P99)));
    for (String store : List.of(mixed, peer)) {
      claims.add(tail(store));
    }
    return claims;
  }

  /** Of reads the slowest are farther from the mean than of updates. */
  private Claim tail(String store) {
    String paper =
        "p99 is close to the mean of updates, and far from that of reads, write-heavy (figures 13, 14): "
            + store;
    Optional<Repeated> reads = measured.spread(store, Mix.WRITE_HEAVY, READ, P99, MEAN);
    Optional<Repeated> updates = measured.spread(store, Mix.WRITE_HEAVY, UPDATE, P99, MEAN);
    String where = Mix.WRITE_HEAVY.workload() + ", p99 by mean";
    if (reads.isEmpty() || updates.isEmpty()) {
      return unmeasured(paper, store, where);
    }
    return Claim.of(
        paper,
        String.format(
            Locale.ROOT,
            "p99 is %.1f times the mean of reads, %.1f times that of updates",
            reads.get().median(),
            updates.get().median()),
        List.of(Margin.above(where, reads.get(), updates.get())));
  }

  private record Quantity(String where, String unit, Function<String, Optional<Repeated>> of) {}

  private Quantity throughput(Mix mix) {
    return new Quantity(mix.workload(), "per s", store -> measured.throughput(store, mix));
  }

  private Quantity latency(Mix mix, String kind, String figure) {
    return new Quantity(
        mix.workload() + ", " + figure + " of " + kind.toLowerCase(Locale.ROOT) + "s",
        "us",
        store -> measured.latency(store, mix, kind, figure));
  }

  /** That a quantity of one store is greater. */
  private static Claim more(String paper, String greater, String less, Quantity quantity) {
    Optional<Repeated> one = quantity.of().apply(greater);
    Optional<Repeated> other = quantity.of().apply(less);
    if (one.isEmpty() || other.isEmpty()) {
      return unmeasured(paper, one.isEmpty() ? greater : less, quantity.where());
    }
    String found =
        String.format(
            Locale.ROOT,
            "%s %,.0f, %s %,.0f %s: %.2f times",
            greater,
            one.get().median(),
            less,
            other.get().median(),
            quantity.unit(),
            one.get().median() / other.get().median());
    return Claim.of(paper, found, List.of(Margin.above(quantity.where(), one.get(), other.get())));
  }

  private static Claim unmeasured(String paper, String store, String where) {
    return new Claim(
        paper,
        Verdict.NOT_SHOWN,
        "not every round has it of " + store + " without errors",
        where + ": not measured");
  }

  private List<Chart> charts(int rate) {
    String reads = "share of reads, %";
    return List.of(
        chart(
            "throughput",
            "Throughput",
            reads,
            "operations per second",
            (store, mix) -> measured.throughput(store, mix)),
        chart(
            "servers",
            "Processor time of all servers",
            reads,
            "us an operation",
            (store, mix) -> measured.serverMicros(store, mix)),
        chart(
            "reads",
            "Reads at " + rate + " operations per second",
            reads,
            "mean, us",
            (store, mix) -> measured.latency(store, mix, READ, MEAN)),
        chart(
            "updates",
            "Updates at " + rate + " operations per second",
            reads,
            "mean, us",
            (store, mix) -> measured.latency(store, mix, UPDATE, MEAN)));
  }

  private interface Found {
    Optional<Repeated> of(String store, Mix mix);
  }

  private Chart chart(String name, String title, String xLabel, String yLabel, Found found) {
    List<Series> all = new ArrayList<>();
    for (String store : measured.stores()) {
      Series series = new Series(store);
      for (Mix mix : Mix.values()) {
        found.of(store, mix).ifPresent(value -> series.add(mix.readsPercent(), value));
      }
      if (series.size() > 1) {
        all.add(series);
      }
    }
    return new Chart(name, title, xLabel, yLabel, true, all);
  }
}
