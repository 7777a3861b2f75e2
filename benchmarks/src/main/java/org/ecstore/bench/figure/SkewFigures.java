package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ecstore.bench.model.Adaptation;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.bench.model.Zipf;
import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.Histogram;
import org.ecstore.replication.load.HistogramSettings;
import org.ecstore.sim.world.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * Figures 8 and 9: the distribution of load under skewed queries, and the imbalance by the size of
 * the system. Paper: ecStore §6.3.1, §6.3.2.
 */
final class SkewFigures implements FigureGroup {
  static final int RECORDS_PER_NODE = 10_000;
  static final int RANGES_PER_NODE = 4;
  static final double ZIPF = 1;

  /** The threshold factor of the paper (§6.1). */
  static final double LAMBDA = 2;

  /** From here on an imbalance is high: the heaviest node has twice the work of the lightest. */
  private static final double HIGH = 2;

  static final int NODES = 18;
  private static final long MILLI = 1_000_000L;

  static final String HOW =
      "Simulated: nodes are queues with the measured costs, as many operations are under way for"
          + " each node as the settings say. Real: overlay tree, placement, histograms, trigger,"
          + " choice of hot-spot replicas, redirects."
          + " Times of the balancing are shorter than a node's defaults by about 100, as the runs"
          + " are.";

  /** How many operations are under way for each node: as in the paper (§6.1). */
  static int clients(FigureRun run) {
    return run.pick(1000, 8);
  }

  /** Which records the popular ones are: the paper does not say. */
  enum Popularity {
    HOT_SPOT("hot-spot", "popular records lie together"),
    SCATTERED("scattered", "popular records lie anywhere");

    final String name;
    final String meaning;

    Popularity(String name, String meaning) {
      this.name = name;
      this.meaning = meaning;
    }
  }

  private record Setting(String name, int copies, boolean adaptive) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("no replication", 1, false),
          new Setting("3", 3, false),
          new Setting("4", 4, false),
          new Setting("3-adapt", 3, true));

  static Adaptation adaptation(double factor) {
    BalanceSettings balance =
        new BalanceSettings(1000, factor, 4, 8, 64, 0.02, 3, 0.1, 1, 500 * MILLI);
    return new Adaptation(
        balance,
        (keys, positions, halfLife) ->
            new Histogram(
                keys, positions, HistogramSettings.DEFAULT.withHalfLifeNanos(halfLife), 0),
        50 * MILLI,
        10 * MILLI,
        20 * MILLI);
  }

  private static int[] sizes(boolean quick) {
    return quick ? new int[] {6, 18} : new int[] {6, 12, 18, 24, 30, 36};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(8, 9);
  }

  @Override
  public int steps(boolean quick) {
    return Popularity.values().length
        * SETTINGS.size()
        * sizes(quick).length
        * FigureRun.REPETITIONS;
  }

  /** One run; the hot spot moves half way if it is to. */
  static ClosedLoop.Outcome run(
      FigureRun run,
      int nodes,
      int copies,
      @Nullable Adaptation adaptation,
      Popularity popularity,
      boolean moves) {
    long seed = run.seed();
    Population users = Population.users(RECORDS_PER_NODE * nodes, seed);
    ModelCluster cluster =
        new ModelCluster(
            new ModelCluster.Size(nodes, RANGES_PER_NODE, copies),
            users,
            run.costs(),
            adaptation,
            seed);
    Zipf zipf = new Zipf(users.size(), ZIPF);
    SimRandom random = new SimRandom(seed).fork("queries");
    int[] order = order(users.size(), popularity, random);
    long counted = (long) run.pick(8000, 1000) * nodes;
    long uncounted = moves ? 1 : counted / 2;
    int start = random.between(0, users.size() - 1);
    int jump = users.size() / 2;
    ClosedLoop.Outcome outcome =
        ClosedLoop.run(
            cluster,
            clients(run),
            uncounted,
            counted,
            (client, number, done) -> {
              int moved = moves && number > counted / 2 ? jump : 0;
              int record = order[(zipf.draw(random) + start + moved) % users.size()];
              cluster.read(client, record, 1, 1, done);
            });
    run.steps().run();
    return outcome;
  }

  private static int[] order(int records, Popularity popularity, SimRandom random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      order.add(i);
    }
    if (popularity == Popularity.SCATTERED) {
      Collections.shuffle(order, random);
    }
    return order.stream().mapToInt(i -> i).toArray();
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    List<Chart> distributions = new ArrayList<>();
    List<Chart> imbalances = new ArrayList<>();
    List<Claim> distributionClaims = new ArrayList<>();
    List<Claim> imbalanceClaims = new ArrayList<>();
    for (Popularity popularity : Popularity.values()) {
      sizes(run, popularity, distributions, distributionClaims, imbalances, imbalanceClaims);
    }
    Map<String, String> settings = settings(run);
    return List.of(
        new FigureReport(
            8,
            "Distribution of load under skewed query distribution",
            HOW,
            settings,
            distributions,
            distributionClaims),
        new FigureReport(
            9,
            "Load imbalance under skewed query distribution",
            HOW,
            settings,
            imbalances,
            imbalanceClaims));
  }

  private void sizes(
      FigureRun run,
      Popularity popularity,
      List<Chart> distributions,
      List<Claim> distributionClaims,
      List<Chart> imbalances,
      List<Claim> imbalanceClaims) {
    Map<String, Series> distribution = new LinkedHashMap<>();
    Map<String, Series> imbalance = new LinkedHashMap<>();
    Map<String, Repeated> heaviest = new LinkedHashMap<>();
    for (Setting setting : SETTINGS) {
      Series curve = new Series(setting.name());
      Adaptation adaptation = setting.adaptive() && run.adaptive() ? adaptation(LAMBDA) : null;
      for (int nodes : sizes(run.quick())) {
        List<ClosedLoop.Outcome> outcomes =
            run.withSeed(run.seed() + nodes)
                .repeat(each -> run(each, nodes, setting.copies(), adaptation, popularity, false));
        curve.add(nodes, FigureRun.of(outcomes, ClosedLoop.Outcome::imbalance));
        if (nodes == NODES) {
          distribution.put(setting.name(), lorenz(setting.name(), outcomes));
          heaviest.put(setting.name(), FigureRun.of(outcomes, ClosedLoop.Outcome::heaviestShare));
        }
      }
      imbalance.put(setting.name(), curve);
    }
    List<Series> distributionCurves = new ArrayList<>(distribution.values());
    distributionCurves.add(new Series("ideal").add(0, 0).add(100, 100));
    distributions.add(
        new Chart(
            popularity.name,
            "Load of %d nodes, %s".formatted(NODES, popularity.meaning),
            "nodes, lightest first (%)",
            "queries served (%)",
            false,
            distributionCurves));
    imbalances.add(
        new Chart(
            popularity.name,
            "Maximum load imbalance, " + popularity.meaning,
            "nodes",
            "heaviest / lightest load",
            true,
            List.copyOf(imbalance.values())));
    claimDistribution(popularity, distribution, heaviest, distributionClaims);
    claimImbalance(popularity, imbalance, imbalanceClaims);
  }

  /** How much of all load the lightest so many of the nodes carry. */
  private static Series lorenz(String name, List<ClosedLoop.Outcome> outcomes) {
    List<List<Double>> runs = outcomes.stream().map(SkewFigures::carried).toList();
    Series curve = new Series(name);
    int nodes = runs.getFirst().size() - 1;
    for (int i = 0; i <= nodes; i++) {
      int at = i;
      curve.add(100.0 * i / nodes, FigureRun.of(runs, carried -> carried.get(at)));
    }
    return curve;
  }

  /** Of one run, in percent: from none of the nodes to all. */
  private static List<Double> carried(ClosedLoop.Outcome outcome) {
    List<Long> sorted = new ArrayList<>(outcome.queries());
    Collections.sort(sorted);
    double all = sorted.stream().mapToLong(q -> q).sum();
    List<Double> carried = new ArrayList<>(List.of(0.0));
    long sum = 0;
    for (long queries : sorted) {
      sum += queries;
      carried.add(100 * sum / all);
    }
    return carried;
  }

  /** The area between the ideal and a curve, of all below the ideal: 0 is even, 1 all on one. */
  private static double gini(List<Double> xs, List<Double> ys) {
    double below = 0;
    for (int i = 1; i < xs.size(); i++) {
      below += (xs.get(i) - xs.get(i - 1)) * (ys.get(i) + ys.get(i - 1)) / 2;
    }
    return 1 - below / 5000;
  }

  private static Repeated gini(Map<String, Series> curves, String name) {
    Series lorenz = curve(curves, name);
    List<Double> each = new ArrayList<>();
    for (int i = 0; i < lorenz.point(0).count(); i++) {
      each.add(gini(lorenz.xs(), lorenz.repetition(i)));
    }
    return new Repeated(each);
  }

  private static void claimDistribution(
      Popularity popularity,
      Map<String, Series> curves,
      Map<String, Repeated> heaviest,
      List<Claim> claims) {
    Repeated none = gini(curves, "no replication");
    Repeated three = gini(curves, "3");
    Repeated four = gini(curves, "4");
    Repeated adaptive = gini(curves, "3-adapt");
    String found =
        String.format(
            Locale.ROOT,
            "uneven by (0 is ideal) none %.3f, 3 %.3f, 4 %.3f, 3-adapt %.3f; heaviest node's share"
                + " %s",
            none.median(),
            three.median(),
            four.median(),
            adaptive.median(),
            percent(heaviest));
    claims.add(
        Claim.of(
            "A higher replication level balances the load better (" + popularity.meaning + ").",
            found,
            List.of(
                Margin.above("none and 3", none, three), Margin.above("3 and 4", three, four))));
    claims.add(
        Claim.of(
            "3-adapt distributes the load even better than replication level 4 ("
                + popularity.meaning
                + ").",
            found,
            List.of(Margin.above("4 and 3-adapt", four, adaptive))));
  }

  private static String percent(Map<String, Repeated> shares) {
    List<String> parts = new ArrayList<>();
    shares.forEach(
        (name, share) ->
            parts.add(String.format(Locale.ROOT, "%s %.1f%%", name, 100 * share.median())));
    return String.join(", ", parts);
  }

  private static void claimImbalance(
      Popularity popularity, Map<String, Series> curves, List<Claim> claims) {
    Series none = curve(curves, "no replication");
    Series four = curve(curves, "4");
    Series adaptive = curve(curves, "3-adapt");
    String found = "by size: " + Numbers.curves(List.copyOf(curves.values()));
    claims.add(
        Claim.of(
            "Without replication the imbalance is high, at every size, and grows with the system ("
                + popularity.meaning
                + ").",
            found + "; high means 2 at least",
            Margin.all(
                Margin.above("%s nodes, high", none, 1, constant(none, HIGH)),
                List.of(
                    Margin.trend(none),
                    Margin.above(
                        "the most nodes and the fewest",
                        none.point(none.size() - 1),
                        none.point(0))))));
    claims.add(
        Claim.of(
            "Load-adaptive replication reduces the maximum imbalance to less than half, at every"
                + " size ("
                + popularity.meaning
                + ").",
            found,
            Margin.above("%s nodes", none, 2, adaptive)));
    claims.add(
        Claim.of(
            "... without the high replication level: it is lower than with 4 copies, at every size"
                + " ("
                + popularity.meaning
                + ").",
            found,
            Margin.above("%s nodes", four, adaptive)));
  }

  /** The same value everywhere, with as many repetitions. */
  private static Series constant(Series like, double value) {
    Series constant = new Series("constant");
    for (int i = 0; i < like.size(); i++) {
      constant.add(like.xs().get(i), like.point(i).map(_ -> value));
    }
    return constant;
  }

  private static Series curve(Map<String, Series> curves, String name) {
    Series curve = curves.get(name);
    if (curve == null) {
      throw new IllegalStateException("no curve " + name);
    }
    return curve;
  }

  static Map<String, String> settings(FigureRun run) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("records per node", String.valueOf(RECORDS_PER_NODE));
    all.put("ranges per node", String.valueOf(RANGES_PER_NODE));
    all.put("operations under way per node", String.valueOf(clients(run)));
    all.put("Zipf factor", String.valueOf(ZIPF));
    all.put("queries counted per node", String.valueOf(run.pick(8000, 1000)));
    all.put("balancing", adaptation(LAMBDA).settings().toString());
    all.put("histogram", HistogramSettings.DEFAULT.withHalfLifeNanos(50 * MILLI).toString());
    all.put("look at copies every", "10 ms");
    all.put("redirects remembered for", "20 ms");
    all.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return all;
  }
}
