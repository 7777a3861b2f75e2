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
import org.ecstore.sim.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * Figures 8 and 9: the distribution of load under skewed queries, and the imbalance by the size of
 * the system. Paper: ecStore §6.3.1, §6.3.2.
 */
final class SkewFigures implements FigureGroup {
  static final int RECORDS_PER_NODE = 10_000;
  static final int RANGES_PER_NODE = 4;
  static final int CLIENTS_PER_NODE = 8;
  static final double ZIPF = 1;
  static final int NODES = 18;
  private static final long MILLI = 1_000_000L;

  static final String HOW =
      "Simulated: nodes are queues with the measured costs, eight clients at each node. Real:"
          + " overlay tree, placement, histograms, trigger, choice of slaves, redirects. Times of"
          + " the balancing are shorter than a node's defaults by about 100, as the runs are.";

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
    return Popularity.values().length * SETTINGS.size() * sizes(quick).length;
  }

  /** One run; the hot spot moves half way if it is to. */
  static ClosedLoop.Outcome run(
      FigureRun run,
      int nodes,
      int copies,
      @Nullable Adaptation adaptation,
      Popularity popularity,
      boolean moves,
      long seed) {
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
    long counted = (long) run.pick(4000, 1000) * nodes;
    long uncounted = moves ? 1 : counted / 2;
    int start = random.between(0, users.size() - 1);
    int jump = users.size() / 2;
    ClosedLoop.Outcome outcome =
        ClosedLoop.run(
            cluster,
            CLIENTS_PER_NODE,
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
    Map<String, Double> heaviest = new LinkedHashMap<>();
    for (Setting setting : SETTINGS) {
      Series curve = new Series(setting.name());
      for (int nodes : sizes(run.quick())) {
        Adaptation adaptation = setting.adaptive() && run.adaptive() ? adaptation(2) : null;
        ClosedLoop.Outcome outcome =
            run(run, nodes, setting.copies(), adaptation, popularity, false, run.seed() + nodes);
        curve.add(nodes, outcome.imbalance());
        if (nodes == NODES) {
          distribution.put(setting.name(), lorenz(setting.name(), outcome.queries()));
          heaviest.put(setting.name(), outcome.heaviestShare());
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
  private static Series lorenz(String name, List<Long> queries) {
    List<Long> sorted = new ArrayList<>(queries);
    Collections.sort(sorted);
    double all = sorted.stream().mapToLong(q -> q).sum();
    Series curve = new Series(name).add(0, 0);
    long sum = 0;
    for (int i = 0; i < sorted.size(); i++) {
      sum += sorted.get(i);
      curve.add(100.0 * (i + 1) / sorted.size(), 100 * sum / all);
    }
    return curve;
  }

  /** The area between the ideal and a curve, of all below the ideal: 0 is even, 1 all on one. */
  private static double gini(Series lorenz) {
    double below = 0;
    for (int i = 1; i < lorenz.xs().size(); i++) {
      double width = lorenz.xs().get(i) - lorenz.xs().get(i - 1);
      below += width * (lorenz.ys().get(i) + lorenz.ys().get(i - 1)) / 2;
    }
    return 1 - below / 5000;
  }

  private static double gini(Map<String, Series> curves, String name) {
    Series curve = curves.get(name);
    return curve == null ? Double.NaN : gini(curve);
  }

  private static void claimDistribution(
      Popularity popularity,
      Map<String, Series> curves,
      Map<String, Double> heaviest,
      List<Claim> claims) {
    double none = gini(curves, "no replication");
    double three = gini(curves, "3");
    double four = gini(curves, "4");
    double adaptive = gini(curves, "3-adapt");
    String found =
        "uneven by (0 is ideal) none %.3f, 3 %.3f, 4 %.3f, 3-adapt %.3f; heaviest node's share %s"
            .formatted(none, three, four, adaptive, percent(heaviest));
    claims.add(
        Claim.of(
            "A higher replication level balances the load better (" + popularity.meaning + ").",
            none > three && three > four,
            found,
            "the shifted copies of K = 4 fall on other nodes than those of K = 3, so that with few"
                + " very popular records one more copy may meet an already loaded node."));
    claims.add(
        Claim.of(
            "3-adapt distributes the load even better than replication level 4 ("
                + popularity.meaning
                + ").",
            adaptive < four,
            found,
            "no slaves took load off the hot copies."));
  }

  private static String percent(Map<String, Double> shares) {
    List<String> parts = new ArrayList<>();
    shares.forEach(
        (name, share) -> parts.add(String.format(Locale.ROOT, "%s %.1f%%", name, 100 * share)));
    return String.join(", ", parts);
  }

  private static void claimImbalance(
      Popularity popularity, Map<String, Series> curves, List<Claim> claims) {
    List<Double> none = values(curves, "no replication");
    List<Double> three = values(curves, "3");
    List<Double> four = values(curves, "4");
    List<Double> adaptive = values(curves, "3-adapt");
    String found =
        "by size: none %s, 3 %s, 4 %s, 3-adapt %s"
            .formatted(
                Numbers.list(none),
                Numbers.list(three),
                Numbers.list(four),
                Numbers.list(adaptive));
    claims.add(
        Claim.of(
            "Without replication the imbalance is high and grows with the system ("
                + popularity.meaning
                + ").",
            none.getLast() > none.getFirst() && none.getLast() > 2,
            found,
            "the most popular record's node is not the heaviest by more in a larger system."));
    claims.add(
        Claim.of(
            "Load-adaptive replication reduces the maximum imbalance to less than half, at every"
                + " size ("
                + popularity.meaning
                + ").",
            Numbers.every(adaptive, none, (a, n) -> a < n / 2),
            found,
            "where the imbalance without replication is below about 2 there is no half to reach:"
                + " nodes within the tolerance of 10% about the mean do not shed load."));
    claims.add(
        Claim.of(
            "... without the high replication level: it is lower than with 4 copies, at every size"
                + " ("
                + popularity.meaning
                + ").",
            Numbers.every(adaptive, four, (a, f) -> a < f),
            found,
            "at that size four copies spread the load as well as the tolerance of the balancing."));
  }

  private static List<Double> values(Map<String, Series> curves, String name) {
    Series curve = curves.get(name);
    if (curve == null) {
      throw new IllegalStateException("no curve " + name);
    }
    return curve.ys();
  }

  static Map<String, String> settings(FigureRun run) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("records per node", String.valueOf(RECORDS_PER_NODE));
    all.put("ranges per node", String.valueOf(RANGES_PER_NODE));
    all.put("clients per node", String.valueOf(CLIENTS_PER_NODE));
    all.put("Zipf factor", String.valueOf(ZIPF));
    all.put("queries counted per node", String.valueOf(run.pick(4000, 1000)));
    all.put("balancing", adaptation(2).settings().toString());
    all.put("histogram", HistogramSettings.DEFAULT.withHalfLifeNanos(50 * MILLI).toString());
    all.put("look at copies every", "10 ms");
    all.put("redirects remembered for", "20 ms");
    return all;
  }
}
