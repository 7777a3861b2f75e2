package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.model.Population;
import org.ecstore.bench.model.Zipf;
import org.ecstore.bench.transactions.TransactionCosts;
import org.ecstore.bench.transactions.TransactionLoad;
import org.ecstore.bench.transactions.TransactionLoad.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.model.Route;
import org.ecstore.sim.CostedCluster;
import org.ecstore.sim.world.SimRandom;

/**
 * Figures 7 and 11: throughput by the share of read-only transactions, and how often transactions
 * are begun anew, with versions and without. Paper: ecStore §6.2.3, §6.3.4.
 */
final class TransactionFigures implements FigureGroup {
  private static final int NODES = 18;
  static final int COPIES = 3;
  private static final int CLIENTS_PER_NODE = 4;
  private static final int SCANNED = 100;
  private static final int WRITTEN = 10;

  private static final String HOW =
      "Real: the nodes and their protocol, messages and codecs, under simulation: begin, reads,"
          + " votes, sequencer, ledger records, conflicts. Simulated: time. Each event occupies its"
          + " node for the measured costs, messages and ledger take theirs. Three copies of each"
          + " range. Records are absent at first, which the protocol does not care about. Unlike"
          + " the paper's 1000 operations under way for each node, 4 (figure 7) and 1 (figure 11)"
          + " are: the whole protocol is run for each.";

  private static int[] sizes(boolean quick) {
    return quick ? new int[] {2, 4} : new int[] {6, 12, 18};
  }

  private static int[] mixes(boolean quick) {
    return quick ? new int[] {10, 90} : new int[] {10, 30, 60, 90};
  }

  private final boolean restarts;

  /** Figure 11 if it is about restarts, else figure 7. */
  TransactionFigures(boolean restarts) {
    this.restarts = restarts;
  }

  @Override
  public List<Integer> numbers() {
    return List.of(restarts ? 11 : 7);
  }

  @Override
  public int steps(boolean quick) {
    return (restarts ? 2 : sizes(quick).length) * mixes(quick).length * FigureRun.REPETITIONS;
  }

  /** Nodes among which as many users for each of them are divided evenly. */
  static CostedCluster cluster(FigureRun run, int nodes) {
    return cluster(
        run, nodes, Population.users(SkewFigures.RECORDS_PER_NODE * nodes, run.seed()), 1);
  }

  private static CostedCluster cluster(FigureRun run, int nodes, Population users, int scanned) {
    CostModel costs = run.costs();
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < nodes; i++) {
      splits.add(users.key((int) ((long) users.size() * i / nodes)));
    }
    return new CostedCluster(
        nodes,
        COPIES,
        splits,
        new CostedCluster.Delays(costs.network(), costs.logAppend()),
        new TransactionCosts(costs, scanned),
        run.seed());
  }

  /** Each range has as many users: where nodes split when they joined does not matter. */
  private static Bytes user(List<Route> ranges, SimRandom random) {
    Route range = random.pick(ranges);
    int number = random.between(0, SkewFigures.RECORDS_PER_NODE - 1);
    Bytes key = range.keys().start().concat(Bytes.utf8("!%05d".formatted(number)));
    if (!range.keys().contains(key)) {
      throw new IllegalStateException(key + " is not in " + range);
    }
    return key;
  }

  /** Two different users. */
  static List<Bytes> friends(List<Route> ranges, SimRandom random) {
    Bytes one = user(ranges, random);
    Bytes other = user(ranges, random);
    while (one.equals(other)) {
      other = user(ranges, random);
    }
    return List.of(one, other);
  }

  private static TransactionLoad.Outcome friends(FigureRun run, int nodes, int readOnly) {
    SimRandom random = new SimRandom(run.seed()).fork("friends");
    Function<List<Route>, Supplier<Transaction>> workload =
        ranges ->
            () -> {
              List<Bytes> both = friends(ranges, random);
              boolean reads = random.between(1, 100) <= readOnly;
              return new Transaction(
                  both, Optional.empty(), reads ? List.of() : both, false, Optional.empty());
            };
    long counted = (long) run.pick(150, 40) * nodes;
    TransactionLoad.Outcome outcome =
        TransactionLoad.run(
            cluster(run, nodes),
            CLIENTS_PER_NODE,
            counted / 3,
            counted,
            workload,
            random.fork("retries"));
    run.steps().run();
    return outcome;
  }

  private static TransactionLoad.Outcome scans(FigureRun run, int readOnly, boolean versions) {
    int nodes = run.pick(NODES, 4);
    Population users = Population.users(SkewFigures.RECORDS_PER_NODE * nodes, run.seed());
    Zipf zipf = new Zipf(users.size() - SCANNED - 1, 1);
    SimRandom random = new SimRandom(run.seed()).fork("scans");
    Supplier<Transaction> scans =
        () -> {
          int from = zipf.draw(random);
          TreeSet<Bytes> written = new TreeSet<>();
          while (written.size() < WRITTEN) {
            written.add(users.key(from + random.between(0, SCANNED - 1)));
          }
          boolean reads = random.between(1, 100) <= readOnly;
          return new Transaction(
              List.of(),
              Optional.of(users.range(from, from + SCANNED)),
              reads ? List.of() : List.copyOf(written),
              !versions,
              Optional.empty());
        };
    long counted = (long) run.pick(60, 40) * nodes;
    TransactionLoad.Outcome outcome =
        TransactionLoad.run(
            cluster(run, nodes, users, SCANNED),
            1,
            counted / 3,
            counted,
            _ -> scans,
            random.fork("retries"));
    run.steps().run();
    return outcome;
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    return List.of(restarts ? restarts(run) : throughput(run));
  }

  private static FigureReport throughput(FigureRun run) {
    List<Series> curves = new ArrayList<>();
    for (int mix : mixes(run.quick())) {
      Series curve = new Series(mix + "% read-only");
      for (int nodes : sizes(run.quick())) {
        curve.add(
            nodes,
            FigureRun.of(
                run.repeat(each -> friends(each, nodes, mix)), TransactionLoad.Outcome::perSecond));
      }
      curves.add(curve);
    }
    String found = "transactions/s by size: " + Numbers.curves(curves);
    List<Margin> ordered = new ArrayList<>();
    for (int i = 1; i < curves.size(); i++) {
      ordered.addAll(
          Margin.above(curves.get(i).name() + ", %s nodes", curves.get(i), curves.get(i - 1)));
    }
    List<Margin> scales =
        curves.subList(curves.size() / 2, curves.size()).stream()
            .map(curve -> Margin.grows(curve, 0.7))
            .toList();
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("clients per node", String.valueOf(CLIENTS_PER_NODE));
    settings.put("transactions counted per node", String.valueOf(run.pick(150, 40)));
    settings.put("update", "2 reads and 2 writes of the same records, drawn evenly");
    settings.put("isolation", "serializable, session");
    settings.put("copies", String.valueOf(COPIES));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return new FigureReport(
        7,
        "Transaction throughput with different read/write ratio",
        HOW,
        settings,
        List.of(
            new Chart(
                "", "Transaction throughput", "nodes", "transactions per second", false, curves)),
        List.of(
            Claim.of(
                "The throughput increases with the share of read-only transactions, at every size.",
                found,
                ordered),
            Claim.of(
                "It scales well under heavier read workloads.",
                found + "; well means 70% of linear at least",
                scales)));
  }

  private static FigureReport restarts(FigureRun run) {
    Series with = new Series("multi-version");
    Series without = new Series("non-versioning");
    for (int mix : mixes(run.quick())) {
      with.add(mix, restarts(run, mix, true));
      without.add(mix, restarts(run, mix, false));
    }
    String found =
        "share of attempts aborted by conflicts at %s%% read-only: %s"
            .formatted(Numbers.list(with.xs()), Numbers.curves(List.of(with, without)));
    int last = with.size() - 1;
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("nodes", String.valueOf(run.pick(NODES, 4)));
    settings.put("clients per node", "1");
    settings.put("transactions counted per node", String.valueOf(run.pick(60, 40)));
    settings.put("copies", String.valueOf(COPIES));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    settings.put("scan", SCANNED + " records from a start drawn by Zipf 1, ten of them written");
    return new FigureReport(
        11,
        "Transaction restart probability under skewed workload",
        HOW
            + " Without versions: read-only transactions too have their reads validated at commit,"
            + " by the same protocol.",
        settings,
        List.of(
            new Chart(
                "",
                "Restart probability",
                "read-only transactions (%)",
                "aborted attempts / attempts",
                false,
                List.of(with, without))),
        List.of(
            Claim.of(
                "With versions restarts become fewer as the share of read-only transactions grows.",
                found,
                Margin.falling("%s% read-only", with)),
            Claim.of(
                "Versions never mean more restarts, and fewer where most transactions read.",
                found + "; never more means: by less than 2%",
                Margin.all(
                    Margin.above("%s% read-only, never more", scaled(without, 1.02), with),
                    List.of(
                        Margin.above(
                            "most transactions read", without.point(last), with.point(last))))),
            Claim.of(
                "Without versions the restart probability is almost the same for all mixes.",
                found + "; almost the same means within a factor of 1.43",
                List.of(Margin.steady(without, 1.43)))));
  }

  private static Repeated restarts(FigureRun run, int mix, boolean versions) {
    return FigureRun.of(
        run.repeat(each -> scans(each, mix, versions)), TransactionLoad.Outcome::restarts);
  }

  private static Series scaled(Series curve, double factor) {
    Series scaled = new Series(curve.name());
    for (int i = 0; i < curve.size(); i++) {
      scaled.add(curve.xs().get(i), curve.point(i).map(value -> factor * value));
    }
    return scaled;
  }
}
