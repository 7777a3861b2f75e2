package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.ecstore.bench.model.Adaptation;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.FixedRangeHistogram;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.Histogram;
import org.ecstore.replication.load.HistogramSettings;
import org.ecstore.sim.world.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * Figures 13, 14 and 15: photos in the order of their days, of which 60% of the queries ask for
 * today's; how many records are copied into hot-spot replicas, and how the load is distributed,
 * with a self-tuning histogram of 10 buckets and with fixed ones of 200 and 400. Paper: ecStore
 * C.2.
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
    return (SETTINGS.size() + 1) * FigureRun.REPETITIONS;
  }

  /**
   * What came of a setting, by repetition.
   *
   * @param sorted queries served by the lightest node, the next, and so on
   */
  private record Result(
      Repeated hotReplicas, Repeated records, Repeated imbalance, List<Repeated> sorted) {
    /** The heaviest node's part of all, in percent. */
    Repeated share() {
      double all = (double) NODES * QUERIES_PER_NODE;
      return sorted.getLast().map(queries -> 100 * queries / all);
    }
  }

  private record Once(double hotReplicas, double records, ClosedLoop.Outcome outcome) {
    double sorted(int node) {
      return outcome.queries().stream().sorted().toList().get(node);
    }
  }

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
    List<Once> all = run.repeat(each -> once(each, setting, photos));
    return new Result(
        FigureRun.of(all, Once::hotReplicas),
        FigureRun.of(all, Once::records),
        FigureRun.of(all, each -> each.outcome().imbalance()),
        IntStream.range(0, NODES)
            .mapToObj(node -> FigureRun.of(all, each -> each.sorted(node)))
            .toList());
  }

  private static Once once(FigureRun run, @Nullable Setting setting, Population photos) {
    SimRandom random = new SimRandom(run.seed()).fork("days");
    ModelCluster cluster =
        new ModelCluster(
            new ModelCluster.Size(NODES, 1, 1),
            photos,
            run.costs(),
            setting == null || !run.adaptive() ? null : adaptation(setting),
            run.seed());
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
    run.steps().run();
    return new Once(cluster.hotReplicasMade(), cluster.recordsMade(), outcome);
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    Map<String, Result> results = new LinkedHashMap<>();
    for (Setting setting : SETTINGS) {
      results.put(setting.name(), run(run, setting));
    }
    Result none = run(run, null);
    Map<String, String> settings = settings();
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
    StringJoiner found = new StringJoiner("; ", "records copied: ", "");
    results.forEach(
        (name, result) -> {
          bars.add(new Series(name).add(1, result.records()));
          found.add(
              "%s %s in %s hot-spot replicas"
                  .formatted(
                      name,
                      Numbers.text(result.records().median()),
                      Numbers.text(result.hotReplicas().median())));
        });
    Repeated self = of(results, "STR-10").records();
    Repeated coarse = of(results, "FIR-200").records();
    Repeated fine = of(results, "FIR-400").records();
    List<Claim> claims =
        List.of(
            Claim.of(
                "STR-10 creates fewer replicas than FIR-200 and FIR-400.",
                found.toString(),
                List.of(
                    Margin.above("FIR-200 and STR-10", coarse, atLeastOne(self)),
                    Margin.above("FIR-400 and STR-10", fine, atLeastOne(self)))),
            Claim.of(
                "FIR-200 populates fewer records than FIR-400.",
                found.toString(),
                List.of(Margin.above("FIR-400 and FIR-200", fine, atLeastOne(coarse)))));
    return new FigureReport(
        13,
        "Number of created replicas",
        HOW,
        settings,
        List.of(new Chart("", "Records copied into hot-spot replicas", "", "records", false, bars)),
        claims);
  }

  /** What makes no copies at all does not make fewer. */
  private static Repeated atLeastOne(Repeated records) {
    return records.map(count -> count < 1 ? Double.POSITIVE_INFINITY : count);
  }

  private static FigureReport unbalanced(Result none, Map<String, String> settings) {
    Claim claim =
        Claim.of(
            "Without replication-based balancing the load is highly skewed.",
            "heaviest / lightest load %s, heaviest node's share %s%%; highly means 10 at least"
                .formatted(
                    Numbers.text(none.imbalance().median()), Numbers.text(none.share().median())),
            List.of(atLeast("heaviest / lightest load", none.imbalance(), 10)));
    return new FigureReport(
        14,
        "Load distribution without load balancing under skewed access",
        HOW,
        settings,
        List.of(distribution("Load without balancing", Map.of("no balancing", none))),
        List.of(claim));
  }

  private static Margin atLeast(String what, Repeated value, double least) {
    return Margin.above(what, value, value.map(_ -> least));
  }

  private static Margin atMost(String what, Repeated value, double most) {
    return Margin.above(what, value.map(_ -> most), value);
  }

  private static FigureReport balanced(
      Map<String, Result> results, Result none, Map<String, String> settings) {
    Result self = of(results, "STR-10");
    StringJoiner found = new StringJoiner("; ", "heaviest / lightest load: ", "");
    found.add("none " + Numbers.text(none.imbalance().median()));
    results.forEach(
        (name, result) ->
            found.add(
                "%s %s (heaviest %s%%)"
                    .formatted(
                        name,
                        Numbers.text(result.imbalance().median()),
                        Numbers.text(result.share().median()))));
    List<Claim> claims =
        List.of(
            Claim.of(
                "With STR-10 the load is well distributed across the system.",
                found + "; well means: below 4, and no node twice its part",
                List.of(
                    atMost("heaviest / lightest load", self.imbalance(), 4),
                    atMost("heaviest node's part", self.share(), 200.0 / NODES))),
            Claim.of(
                "STR-10 balances at least as well as the fixed histograms with its smaller memory.",
                found + "; as well means: by less than 10% worse",
                List.of(noWorse("FIR-200", results, self), noWorse("FIR-400", results, self))));
    return new FigureReport(
        15,
        "Load distribution with self-tune range replication",
        HOW,
        settings,
        List.of(distribution("Load with balancing", results)),
        claims);
  }

  private static Margin noWorse(String than, Map<String, Result> results, Result self) {
    Repeated theirs = of(results, than).imbalance();
    return Margin.above(than + " and STR-10", theirs.map(each -> 1.1 * each), self.imbalance());
  }

  private static Chart distribution(String title, Map<String, Result> results) {
    List<Series> curves = new ArrayList<>();
    results.forEach(
        (name, result) -> {
          Series curve = new Series(name);
          for (int node = 0; node < NODES; node++) {
            curve.add(node + 1, result.sorted().get(node));
          }
          curves.add(curve);
        });
    return new Chart("", title, "node, lightest first", "queries served", false, curves);
  }

  private static Map<String, String> settings() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("nodes", String.valueOf(NODES));
    all.put("days per node", String.valueOf(DAYS_PER_NODE));
    all.put("photos per day", String.valueOf(PHOTOS_PER_DAY));
    all.put("queries per node", String.valueOf(QUERIES_PER_NODE));
    all.put("share of the crowd", String.valueOf(CROWD));
    all.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    SETTINGS.forEach(setting -> all.put(setting.name(), adaptation(setting).settings().toString()));
    all.put("half-life of rates", "200 ms");
    return all;
  }
}
