package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.transactions.PaperMix;
import org.ecstore.bench.transactions.ShopTransactions;
import org.ecstore.bench.transactions.TransactionLoad;
import org.ecstore.bench.transactions.TransactionLoad.Outcome;
import org.ecstore.bench.transactions.TransactionLoad.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.sim.world.SimRandom;

/**
 * Figures 16 and 17: latency and throughput of the paper's simplified TPC-W in its three mixes, by
 * the size of the system, and how many transactions touch one node only. Paper: ecStore, C.3.
 */
final class TpcwFigures implements FigureGroup {
  private static final int CLIENTS_PER_NODE = 1;
  private static final int PER_NODE = SkewFigures.RECORDS_PER_NODE;

  /** As in figure 6. */
  private static final double FLAT = 1.25;

  /** As in figure 4. */
  private static final double LINEAR = 0.85;

  private static final double MOST = 0.9;
  private static final double PERCENT = 100;
  private static final double MICROS = 1_000;
  private static final String NODES = "nodes";
  private static final String PER_SECOND = "transactions per second";
  private static final String OWN = "; reads see what their session has seen";
  private static final List<PaperMix> MOSTLY_READ = List.of(PaperMix.BROWSING, PaperMix.SHOPPING);

  private static final String HOW =
      "Real: the nodes and their protocol, messages and codecs, under simulation: reads, "
          + "votes, sequencer, ledger records, streams to the copies. Simulated: time. Each event "
          + "occupies its node for the measured costs, messages and ledger take theirs. A client "
          + "at each node does one transaction after the other: it reads a product, or puts into "
          + "a cart (one write), or orders (one read of the cart, one write); half of the updates "
          + "are orders. Products and customers are drawn evenly, and a customer's cart and "
          + "orders are neighbours, under keys that begin with the customer. Reads go to "
          + "primaries and begin their snapshot in the same message, as the client does it. "
          + "Products are read from a recent snapshot, which the node that is asked can answer at "
          + "once (level LOCAL, and §5.1); what is said of sessions has them read at or after all "
          + "that their session has seen (level SESSION, the client's own if it is not told "
          + "otherwise). Records are absent at first, which the protocol does not care about.";

  private static List<Integer> sizes(boolean quick) {
    return quick ? List.of(2, 4) : List.of(6, 12, 18, 24, 30, 36);
  }

  /** Of what the paper does not have, and what is there to explain it. */
  private static List<Integer> someSizes(boolean quick) {
    return quick ? List.of(2, 4) : List.of(6, 18, 36);
  }

  @Override
  public List<Integer> numbers() {
    return List.of(16, 17);
  }

  @Override
  public int steps(boolean quick) {
    int mixes = PaperMix.values().length;
    int runs = mixes * sizes(quick).size() + (mixes + 2) * someSizes(quick).size();
    return runs * FigureRun.REPETITIONS;
  }

  private static Outcome outcome(
      FigureRun run,
      int nodes,
      String name,
      Function<SimRandom, Function<List<Route>, Supplier<Transaction>>> workload) {
    SimRandom random = new SimRandom(run.seed()).fork(name);
    long counted = (long) run.pick(120, 40) * nodes;
    Outcome outcome =
        TransactionLoad.run(
            TransactionFigures.cluster(run, nodes),
            CLIENTS_PER_NODE,
            counted / 3,
            counted,
            workload.apply(random),
            random.fork("retries"));
    run.steps().run();
    return outcome;
  }

  /** What came of a load at each of some sizes of the system. */
  private record BySize(List<Integer> sizes, List<List<Outcome>> outcomes) {
    Series curve(String name, ToDoubleFunction<Outcome> number) {
      Series curve = new Series(name);
      for (int i = 0; i < sizes.size(); i++) {
        curve.add(sizes.get(i), FigureRun.of(outcomes.get(i), number));
      }
      return curve;
    }
  }

  private static BySize bySize(
      FigureRun run,
      List<Integer> sizes,
      String name,
      Function<SimRandom, Function<List<Route>, Supplier<Transaction>>> workload) {
    List<List<Outcome>> all = new ArrayList<>();
    for (int nodes : sizes) {
      all.add(run.repeat(each -> outcome(each, nodes, name, workload)));
    }
    return new BySize(sizes, all);
  }

  private static BySize shop(
      FigureRun run, List<Integer> sizes, PaperMix mix, ReadLevel level, boolean together) {
    return bySize(
        run,
        sizes,
        "shop",
        random -> ranges -> new ShopTransactions(mix, level, PER_NODE, together, ranges, random));
  }

  private static Map<PaperMix, BySize> mixes(FigureRun run, List<Integer> sizes, ReadLevel level) {
    Map<PaperMix, BySize> mixes = new EnumMap<>(PaperMix.class);
    for (PaperMix mix : PaperMix.values()) {
      mixes.put(mix, shop(run, sizes, mix, level, true));
    }
    return mixes;
  }

  /** The social application of §6.2.3 with as many updates, begun as the shop's are. */
  private static BySize friends(FigureRun run, PaperMix mix) {
    return bySize(
        run,
        someSizes(run.quick()),
        "friends",
        random ->
            ranges ->
                () -> {
                  List<Bytes> both = TransactionFigures.friends(ranges, random);
                  boolean writes = random.between(1, 100) <= mix.updates();
                  ReadLevel level = writes ? ReadLevel.SESSION : ReadLevel.LOCAL;
                  return new Transaction(
                      both, Optional.empty(), writes ? both : List.of(), false, Optional.of(level));
                });
  }

  /** A curve for each mix. */
  private static List<Series> curves(
      Map<PaperMix, BySize> mixes, ToDoubleFunction<Outcome> number) {
    return mixes.entrySet().stream()
        .map(mix -> mix.getValue().curve(mix.getKey().title(), number))
        .toList();
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    Map<PaperMix, BySize> local = mixes(run, sizes(run.quick()), ReadLevel.LOCAL);
    Map<PaperMix, BySize> session = mixes(run, someSizes(run.quick()), ReadLevel.SESSION);
    return List.of(latency(run, local, session), throughput(run, local, session));
  }

  private static FigureReport latency(
      FigureRun run, Map<PaperMix, BySize> local, Map<PaperMix, BySize> session) {
    List<Series> all = curves(local, Outcome::meanMillis);
    List<Claim> claims = new ArrayList<>(flat(local, ""));
    Repeated ordering = growth(all.getLast());
    String where = "growth from the least size to the greatest, ordering and ";
    claims.add(
        Claim.of(
            "The latency grows more where half of the transactions write than where few do.",
            "ms by size: " + Numbers.curves(all),
            List.of(
                Margin.above(where + "browsing", ordering, growth(all.get(0))),
                Margin.above(where + "shopping", ordering, growth(all.get(1))))));
    claims.addAll(flat(session, OWN));
    return new FigureReport(
        16,
        "TPC-W transaction latency",
        HOW,
        settings(run),
        List.of(
            new Chart("", "Transaction latency, TPC-W", NODES, "ms", false, all),
            new Chart(
                "session",
                "Transaction latency, reads that see what their session has seen",
                NODES,
                "ms",
                false,
                curves(session, Outcome::meanMillis))),
        claims);
  }

  /** What the paper says of the latency in the mixes that mostly read. */
  private static List<Claim> flat(Map<PaperMix, BySize> mixes, String of) {
    List<Claim> claims = new ArrayList<>();
    for (PaperMix mix : MOSTLY_READ) {
      BySize found = bySize(mixes, mix);
      Series all = found.curve(mix.title(), Outcome::meanMillis);
      claims.add(
          Claim.of(
              "The latency is nearly flat as the system grows (%s%s).".formatted(mix.title(), of),
              "microseconds by size: %s; of reads alone %s, of updates alone %s; nearly flat means within a factor of %s"
                  .formatted(
                      micros(found, Outcome::meanMillis),
                      micros(found, Outcome::readMillis),
                      micros(found, Outcome::updateMillis),
                      Numbers.text(FLAT)),
              List.of(Margin.steady(all, FLAT))));
    }
    return claims;
  }

  private static BySize bySize(Map<PaperMix, BySize> mixes, PaperMix mix) {
    return Objects.requireNonNull(mixes.get(mix));
  }

  private static String micros(BySize found, ToDoubleFunction<Outcome> millis) {
    return Numbers.list(found.curve("", each -> MICROS * millis.applyAsDouble(each)).ys());
  }

  private static Repeated growth(Series curve) {
    return curve.point(curve.size() - 1).with(curve.point(0), (last, first) -> last / first);
  }

  private static FigureReport throughput(
      FigureRun run, Map<PaperMix, BySize> local, Map<PaperMix, BySize> session) {
    List<Series> all = curves(local, Outcome::perSecond);
    List<Series> oneNode = new ArrayList<>(curves(local, TpcwFigures::percentOnOneNode));
    List<Claim> claims = new ArrayList<>(linear(local, ""));
    claims.addAll(declines(all, curves(local, TpcwFigures::percentBusy)));
    claims.add(mostTouchOneNode(oneNode));
    Series apart =
        shop(run, someSizes(run.quick()), PaperMix.ORDERING, ReadLevel.LOCAL, false)
            .curve("Ordering, carts and orders apart", TpcwFigures::percentOnOneNode);
    Series together = at(apart.xs(), oneNode.getLast());
    claims.add(
        Claim.of(
            "... as customers' carts and orders lie together: fewer do where these lie apart.",
            "%% of the transactions by size: %s"
                .formatted(Numbers.curves(List.of(together, apart))),
            Margin.above("%s nodes", together, apart)));
    Series social = friends(run, PaperMix.SHOPPING).curve("social", Outcome::perSecond);
    Series shopping = at(social.xs(), all.get(1));
    claims.add(
        Claim.of(
            "The throughput is higher than that of the social application, at every size.",
            "transactions/s by size, both with %d%% updates: TPC-W: %s; social application: %s"
                .formatted(
                    PaperMix.SHOPPING.updates(),
                    Numbers.list(shopping.ys()),
                    Numbers.list(social.ys())),
            Margin.above("%s nodes", shopping, social)));
    claims.addAll(linear(session, OWN));
    oneNode.add(apart);
    return new FigureReport(
        17,
        "TPC-W system throughput",
        HOW
            + " On one node: all keys that a transaction reads and writes had one primary when it"
            + " ended; the sequencer and the ledger, which every update goes through, do not count."
            + " The social application is figure 7's, with as many clients as here, and begins its"
            + " snapshots as the shop does.",
        settings(run),
        List.of(
            chart("", "System throughput, TPC-W", PER_SECOND, all),
            chart(
                "session",
                "System throughput, reads that see what their session has seen",
                PER_SECOND,
                curves(session, Outcome::perSecond)),
            chart(
                "sequencer",
                "How busy the sequencer's node is, TPC-W",
                "% of the time",
                curves(local, TpcwFigures::percentBusy)),
            chart(
                "one-node",
                "Transactions that touch one node, TPC-W",
                "% of the transactions",
                oneNode)),
        claims);
  }

  private static Chart chart(String name, String title, String y, List<Series> curves) {
    return new Chart(name, title, NODES, y, false, curves);
  }

  private static double percentBusy(Outcome outcome) {
    return PERCENT * outcome.sequencerBusy();
  }

  private static double percentOnOneNode(Outcome outcome) {
    return PERCENT * outcome.onOneNode();
  }

  /** What the paper says of the throughput in the mixes that mostly read. */
  private static List<Claim> linear(Map<PaperMix, BySize> mixes, String of) {
    List<Claim> claims = new ArrayList<>();
    for (PaperMix mix : MOSTLY_READ) {
      BySize found = bySize(mixes, mix);
      Series all = found.curve(mix.title(), Outcome::perSecond);
      claims.add(
          Claim.of(
              "The throughput scales linearly (%s%s).".formatted(mix.title(), of),
              "%s; linearly means %s%% of it at least"
                  .formatted(
                      found(all, found.curve("", TpcwFigures::percentBusy)),
                      Numbers.text(PERCENT * LINEAR)),
              List.of(Margin.grows(all, LINEAR))));
    }
    return claims;
  }

  private static Claim mostTouchOneNode(List<Series> shares) {
    return Claim.of(
        "Most transactions touch one node only, at every size and in every mix.",
        "%% of the transactions by size: %s; most means %s%%"
            .formatted(Numbers.curves(shares), Numbers.text(PERCENT * MOST)),
        shares.stream()
            .flatMap(
                curve ->
                    Margin.above(curve.name() + ", %s nodes", curve, level(curve, PERCENT * MOST))
                        .stream())
            .toList());
  }

  /** What the paper says of the ordering mix. */
  private static List<Claim> declines(List<Series> all, List<Series> busy) {
    List<Margin> fewer = new ArrayList<>();
    for (int i = 1; i < all.size(); i++) {
      fewer.addAll(Margin.above(all.get(i).name() + ", %s nodes", all.get(i - 1), all.get(i)));
    }
    Series ordering = all.getLast();
    return List.of(
        Claim.of(
            "The throughput declines as more transactions update, at every size.",
            "transactions/s by size: " + Numbers.curves(all),
            fewer),
        Claim.of(
            "The ordering mix falls behind: it scales less than the others.",
            found(ordering, busy.getLast()),
            List.of(
                Margin.above("growth, browsing and ordering", growth(all.get(0)), growth(ordering)),
                Margin.above(
                    "growth, shopping and ordering", growth(all.get(1)), growth(ordering)))));
  }

  private static String found(Series throughput, Series busy) {
    return "transactions/s by size: %s; the sequencer's node is busy for %s%% of the time"
        .formatted(Numbers.list(throughput.ys()), Numbers.list(busy.ys()));
  }

  /** A level line beside a curve. */
  private static Series level(Series curve, double value) {
    Series level = new Series("level");
    for (int i = 0; i < curve.size(); i++) {
      level.add(curve.xs().get(i), curve.point(i).map(_ -> value));
    }
    return level;
  }

  /** The points of a curve that another one has. */
  private static Series at(List<Double> xs, Series curve) {
    Series some = new Series(curve.name());
    for (int i = 0; i < curve.size(); i++) {
      if (xs.contains(curve.xs().get(i))) {
        some.add(curve.xs().get(i), curve.point(i));
      }
    }
    return some;
  }

  private static Map<String, String> settings(FigureRun run) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("clients per node", String.valueOf(CLIENTS_PER_NODE));
    settings.put("transactions counted per node", String.valueOf(run.pick(120, 40)));
    settings.put("products per node", String.valueOf(PER_NODE));
    settings.put("customers per node", String.valueOf(PER_NODE));
    settings.put("isolation", "serializable; session for updates, local for reads");
    settings.put("copies", String.valueOf(TransactionFigures.COPIES));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return settings;
  }
}
