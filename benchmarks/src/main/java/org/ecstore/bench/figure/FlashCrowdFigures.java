package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.model.Adaptation;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.FixedRangeHistogram;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.Histogram;
import org.ecstore.replication.load.HistogramSettings;
import org.ecstore.sim.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * Figures 13, 14 and 15: photos in the order of their days, of which 60% of the queries ask for
 * today's; how many records are copied into slaves, and how the load is distributed, with a
 * self-tuning histogram of 10 buckets and with fixed ones of 200 and 400. Paper: ecStore C.2.
 */
final class FlashCrowdFigures implements FigureGroup {
  private static final int NODES = 18;
  private static final int DAYS_PER_NODE = 1000;
  private static final int PHOTOS_PER_DAY = 500;
  private static final int QUERIES_PER_NODE = 200;
  private static final double CROWD = 0.6;
  private static final long MILLI = 1_000_000L;

  private static final String HOW =
      "Simulated: nodes are queues with the measured costs, one copy of each range, one client at"
          + " each node, 200 queries of a day each. Real: overlay tree, both tiers of balancing,"
          + " the self-tuning histogram. The fixed histograms are made for this comparison only.";

  /** The replication speed of each is the paper's reading: the less is known, the slower. */
  private record Setting(String name, int buckets, boolean fixed, int speed) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("STR-10", 10, false, 8),
          new Setting("FIR-200", 200, true, 4),
          new Setting("FIR-400", 400, true, 8));

  @Override
  public List<Integer> numbers() {
    return List.of(13, 14, 15);
  }

  @Override
  public int steps(boolean quick) {
    return (SETTINGS.size() + 1) * seeds(quick);
  }

  private static int seeds(boolean quick) {
    return quick ? 2 : 5;
  }

  private record Result(double slaves, double records, List<Double> loads, double imbalance) {}

  private static Adaptation adaptation(Setting setting) {
    BalanceSettings balance =
        new BalanceSettings(50, 1.5, 4, setting.speed(), 64, 0.006, 3, 0.1, 0.1, 2000 * MILLI);
    return new Adaptation(
        balance,
        (keys, positions, halfLife) ->
            setting.fixed()
                ? new FixedRangeHistogram(keys, positions, setting.buckets(), halfLife, 0)
                : new Histogram(
                    keys,
                    positions,
                    HistogramSettings.DEFAULT
                        .withBuckets(setting.buckets())
                        .withHalfLifeNanos(halfLife),
                    0),
        200 * MILLI,
        10 * MILLI,
        20 * MILLI);
  }

  private static Result run(FigureRun run, @Nullable Setting setting) {
    Population photos = Population.photos(NODES * DAYS_PER_NODE * PHOTOS_PER_DAY);
    double slaves = 0;
    double records = 0;
    double imbalance = 0;
    List<Double> loads = new ArrayList<>(Collections.nCopies(NODES, 0.0));
    for (int i = 0; i < seeds(run.quick()); i++) {
      long seed = run.seed() + i;
      SimRandom random = new SimRandom(seed).fork("days");
      ModelCluster cluster =
          new ModelCluster(
              new ModelCluster.Size(NODES, 1, 1),
              photos,
              run.costs(),
              setting == null || !run.adaptive() ? null : adaptation(setting),
              seed);
      int days = NODES * DAYS_PER_NODE;
      int today = random.between(0, days - 1);
      ClosedLoop.Outcome outcome =
          ClosedLoop.run(
              cluster,
              1,
              0,
              (long) NODES * QUERIES_PER_NODE,
              (client, _, done) -> {
                int day = random.chance(CROWD) ? today : random.between(0, days - 1);
                cluster.read(client, day * PHOTOS_PER_DAY, PHOTOS_PER_DAY, 1, done);
              });
      slaves += cluster.slavesMade();
      records += cluster.recordsMade();
      imbalance += outcome.imbalance();
      List<Long> sorted = new ArrayList<>(outcome.queries());
      Collections.sort(sorted);
      for (int node = 0; node < NODES; node++) {
        loads.set(node, loads.get(node) + sorted.get(node));
      }
      run.steps().run();
    }
    double runs = seeds(run.quick());
    return new Result(
        slaves / runs,
        records / runs,
        loads.stream().map(load -> load / runs).toList(),
        imbalance / runs);
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    Map<String, Result> results = new LinkedHashMap<>();
    for (Setting setting : SETTINGS) {
      results.put(setting.name(), run(run, setting));
    }
    Result none = run(run, null);
    Map<String, String> settings = settings(run);
    return List.of(
        replicas(results, settings), unbalanced(none, settings), balanced(results, none, settings));
  }

  private static Result of(Map<String, Result> results, String name) {
    Result result = results.get(name);
    if (result == null) {
      throw new IllegalStateException("no result " + name);
    }
    return result;
  }

  private static FigureReport replicas(Map<String, Result> results, Map<String, String> settings) {
    List<Series> bars = new ArrayList<>();
    StringBuilder found = new StringBuilder("records copied:");
    results.forEach(
        (name, result) -> {
          bars.add(new Series(name).add(1, result.records()));
          found.append(
              " %s %s in %s slaves;"
                  .formatted(name, Numbers.text(result.records()), Numbers.text(result.slaves())));
        });
    double self = of(results, "STR-10").records();
    double coarse = of(results, "FIR-200").records();
    double fine = of(results, "FIR-400").records();
    List<Claim> claims =
        List.of(
            Claim.of(
                "STR-10 creates fewer replicas than FIR-200 and FIR-400.",
                self > 0 && self < coarse && self < fine,
                found.toString(),
                "the self-tuning histogram had not yet found the day when slaves were made."),
            Claim.of(
                "FIR-200 populates fewer records than FIR-400.",
                coarse > 0 && coarse < fine,
                found.toString(),
                "a slave of FIR-200 has twice as many records as one of FIR-400: half the"
                    + " replication speed makes up for that, but no more."));
    return new FigureReport(
        13,
        "Number of created replicas",
        HOW,
        settings,
        List.of(new Chart("", "Records copied into slaves", "", "records", false, bars)),
        claims);
  }

  private static FigureReport unbalanced(Result none, Map<String, String> settings) {
    Claim claim =
        Claim.of(
            "Without replication-based balancing the load is highly skewed.",
            none.imbalance() > 10,
            "heaviest / lightest load %s, heaviest node's share %s%%"
                .formatted(Numbers.text(none.imbalance()), Numbers.text(share(none))),
            "the crowd is not large enough for that.");
    return new FigureReport(
        14,
        "Load distribution without load balancing under skewed access",
        HOW,
        settings,
        List.of(distribution("Load without balancing", Map.of("no balancing", none))),
        List.of(claim));
  }

  private static double share(Result result) {
    return 100 * result.loads().getLast() / result.loads().stream().mapToDouble(l -> l).sum();
  }

  private static FigureReport balanced(
      Map<String, Result> results, Result none, Map<String, String> settings) {
    Result self = of(results, "STR-10");
    StringBuilder found = new StringBuilder("heaviest / lightest load: none ");
    found.append(Numbers.text(none.imbalance()));
    results.forEach(
        (name, result) ->
            found.append(
                ", %s %s (heaviest %s%%)"
                    .formatted(
                        name, Numbers.text(result.imbalance()), Numbers.text(share(result)))));
    List<Claim> claims =
        List.of(
            Claim.of(
                "With STR-10 the load is well distributed across the system.",
                self.imbalance() < 4 && share(self) < 200.0 / NODES,
                found + "; well means: below 4, and no node twice its part",
                "the run is short: what the hot node serves until slaves are there counts."),
            Claim.of(
                "STR-10 balances at least as well as the fixed histograms with its smaller memory.",
                self.imbalance() <= 1.1 * of(results, "FIR-200").imbalance()
                    && self.imbalance() <= 1.1 * of(results, "FIR-400").imbalance(),
                found.toString(),
                "fixed buckets need no time to adapt: they know the hot ones from the first queries"
                    + " on."));
    return new FigureReport(
        15,
        "Load distribution with self-tune range replication",
        HOW,
        settings,
        List.of(distribution("Load with balancing", results)),
        claims);
  }

  private static Chart distribution(String title, Map<String, Result> results) {
    List<Series> curves = new ArrayList<>();
    results.forEach(
        (name, result) -> {
          Series curve = new Series(name);
          for (int node = 0; node < NODES; node++) {
            curve.add(node + 1, result.loads().get(node));
          }
          curves.add(curve);
        });
    return new Chart("", title, "node, lightest first", "queries served", false, curves);
  }

  private static Map<String, String> settings(FigureRun run) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("nodes", String.valueOf(NODES));
    all.put("days per node", String.valueOf(DAYS_PER_NODE));
    all.put("photos per day", String.valueOf(PHOTOS_PER_DAY));
    all.put("queries per node", String.valueOf(QUERIES_PER_NODE));
    all.put("share of the crowd", String.valueOf(CROWD));
    all.put("mean of runs", String.valueOf(seeds(run.quick())));
    SETTINGS.forEach(setting -> all.put(setting.name(), adaptation(setting).settings().toString()));
    all.put("half-life of rates", "200 ms");
    return all;
  }
}
