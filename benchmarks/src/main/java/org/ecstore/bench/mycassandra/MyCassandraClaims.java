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
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.figure.Verdict;

/**
 * What the papers say (MyCassandra, SYSTOR 2012, figures 4 to 6 and 11 to 16, and the Japanese
 * paper), and what a run of several rounds says of it. What the paper says in numbers stands in the
 * words; tested is which of two is greater.
 */
public final class MyCassandraClaims {
  private static final String MEAN = "mean";
  private static final String P99 = "p99";

  /** Kinds are about as fast at updates if none is so many times as fast as another. */
  private static final double ABOUT = 1.5;

  private static final String ALIKE =
      "Here, not in the paper: updates wait for the ledger and not for an engine, so that no kind"
          + " does 1.5 times as many as another";

  private final MeasuredMixes measured;
  private final Clusters clusters;

  /**
   * The names of the stores in the results.
   *
   * @param writing of nodes on an engine that is made for writing
   * @param reading on one made for reading
   * @param memory on one in memory
   * @param mixed each host with one of each
   * @param peer what it is compared with
   */
  public record Clusters(
      String writing, String reading, String memory, String mixed, String peer) {}

  private MyCassandraClaims(MeasuredMixes measured, Clusters clusters) {
    this.measured = measured;
    this.clusters = clusters;
  }

  /**
   * Both parts of the experiment: clusters of one kind, and the cluster of several kinds beside
   * Cassandra.
   *
   * @param comparison as {@link org.ecstore.bench.compare.Comparison#json} has it
   * @param rate of the operations whose latency was measured
   */
  public static List<FigureReport> reports(JsonNode comparison, Clusters clusters, int rate) {
    MyCassandraClaims claims = new MyCassandraClaims(new MeasuredMixes(comparison), clusters);
    Map<String, String> settings =
        Map.of(
            "records", comparison.path("records").asText(),
            "rounds", comparison.path("rounds").asText(),
            "rate of the latencies", rate + " per s");
    String how = "Processes of this machine, one store at a time, in turns.";
    return List.of(
        new FigureReport(
            4, "Clusters of one kind of engine", how, settings, List.of(), claims.ofOneKind()),
        new FigureReport(
            11,
            "A cluster of several kinds beside Cassandra",
            how,
            settings,
            claims.charts(rate),
            claims.ofSeveralKinds()));
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
    claims.add(alike());
    return claims;
  }

  /** What is expected here, and not in the paper: a commit goes to the ledger and to a window. */
  private Claim alike() {
    Series kinds = new Series("updates on each kind of engine");
    double at = 0;
    for (String store : List.of(clusters.writing(), clusters.reading(), clusters.memory())) {
      Optional<Repeated> found = measured.throughput(store, Mix.WRITE_ONLY);
      if (found.isEmpty()) {
        return unmeasured(ALIKE, store, Mix.WRITE_ONLY.workload());
      }
      kinds.add(at++, found.get());
    }
    return Claim.of(
        ALIKE,
        String.format(
            Locale.ROOT,
            "%,.0f, %,.0f, %,.0f per s",
            kinds.ys().get(0),
            kinds.ys().get(1),
            kinds.ys().get(2)),
        List.of(Margin.steady(kinds, ABOUT)));
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
            "99 of 100 of its reads are sooner done, write-heavy (104 against 486 ms)",
            peer,
            mixed,
            latency(Mix.WRITE_HEAVY, READ, P99)));
    claims.add(
        more(
            "Its updates take more time (0.3 to 0.6 ms more)",
            mixed,
            peer,
            latency(Mix.WRITE_HEAVY, UPDATE, MEAN)));
    return claims;
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
