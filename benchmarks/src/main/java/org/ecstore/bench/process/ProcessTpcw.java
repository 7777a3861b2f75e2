package org.ecstore.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureRun;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Numbers;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.load.LoadRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.transactions.PaperMix;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Figures 16 and 17 on real node processes of this machine, with as many clients as nodes. */
final class ProcessTpcw {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTpcw.class);
  private static final int PER_NODE = 10_000;
  private static final int LOADED_AT_ONCE = 250;
  private static final int ROUNDS = 5;
  private static final double MOST = 0.9;
  private static final double PERCENT = 100;
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;
  private static final Bytes VALUE = Bytes.wrap(new byte[200]);

  /** One round of a mix. */
  private record Round(Measured measured, double onOneNode) {}

  private final int nodes;
  private final int copies;
  private final boolean quick;
  private final Runnable steps;

  /**
   * To be run once.
   *
   * @param steps is told of each piece of work that is done
   */
  ProcessTpcw(int nodes, int copies, boolean quick, Runnable steps) {
    this.nodes = nodes;
    this.copies = copies;
    this.quick = quick;
    this.steps = steps;
  }

  /** How many pieces of work {@link #measure} reports. */
  static int steps(boolean quick) {
    return 1 + rounds(quick) * PaperMix.values().length;
  }

  private static int rounds(boolean quick) {
    return quick ? 1 : ROUNDS;
  }

  private int size() {
    return PER_NODE * nodes;
  }

  /** Ranges may end within what is of one customer: that is counted, and not avoided. */
  private List<Bytes> splitHints() {
    Bytes table = MixLoad.SHOP.keys().start();
    return IntStream.range(1, 2 * nodes)
        .mapToObj(i -> Tuple.of((long) i * size() / (2L * nodes), "d").encode(table))
        .toList();
  }

  /**
   * What was measured, by the figures' numbers.
   *
   * @param directory where the cluster keeps its data, empty or not there
   */
  Map<Integer, MeasuredFigure> measure(Path directory, Duration startWithin)
      throws IOException, InterruptedException {
    NewCluster made =
        NewCluster.DEFAULT
            .withReplication(ReplicationSettings.DEFAULT.withCopies(copies))
            .withSplitHints(splitHints());
    try (ProcessCluster cluster = ProcessCluster.during(directory, startWithin, made)) {
      cluster.up(nodes, line -> LOG.info("{}", line));
      List<Long> processes = new ArrayList<>();
      for (int node : cluster.nodes()) {
        cluster.pid(node).ifPresent(processes::add);
      }
      try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT)) {
        load(store);
        steps.run();
        return figures(rounds(store, processes));
      }
    }
  }

  private void load(EcStore store) throws InterruptedException {
    new ClosedClients(2 * nodes)
        .each(
            size() / LOADED_AT_ONCE,
            chunk ->
                store.execute(
                    tx -> {
                      int from = chunk * LOADED_AT_ONCE;
                      for (int i = from; i < from + LOADED_AT_ONCE; i++) {
                        tx.put(MixLoad.SHOP, MixLoad.product(i), VALUE);
                        tx.put(MixLoad.SHOP, MixLoad.cart(i), VALUE);
                      }
                    }));
  }

  /** Every other round in the opposite order, so that no mix gains by its place. */
  private Map<PaperMix, List<Round>> rounds(EcStore store, List<Long> processes)
      throws InterruptedException {
    AtomicLong orders = new AtomicLong();
    PaperMix[] mixes = PaperMix.values();
    Map<PaperMix, List<Round>> rounds = new EnumMap<>(PaperMix.class);
    for (int round = 0; round < rounds(quick); round++) {
      for (int i = 0; i < mixes.length; i++) {
        PaperMix mix = mixes[round % 2 == 0 ? i : mixes.length - 1 - i];
        rounds
            .computeIfAbsent(mix, _ -> new ArrayList<>())
            .add(round(new MixLoad(store, mix, size(), orders), processes));
        steps.run();
      }
    }
    return rounds;
  }

  private Round round(MixLoad load, List<Long> processes) throws InterruptedException {
    Duration counted = Duration.ofSeconds(quick ? 1 : 2);
    Duration warmUp = Duration.ofSeconds(1);
    Measured measured =
        new LoadRun(load, new Pace(nodes, 0, warmUp, counted), processes, _ -> {}).run();
    if (measured.failed() > 0) {
      throw new IllegalStateException(
          "the store gave a wrong answer, the figures mean nothing: " + measured.errors());
    }
    if (measured.ended() == 0) {
      throw new IllegalStateException(
          "no transaction ended within "
              + counted
              + ", so there is nothing to compare: the machine has too much else to do");
    }
    return new Round(measured, load.onOneNode());
  }

  private static Series curve(
      String name, Map<PaperMix, List<Round>> rounds, ToDoubleFunction<Round> number) {
    Series curve = new Series(name);
    rounds.forEach((mix, all) -> curve.add(mix.updates(), FigureRun.of(all, number)));
    return curve;
  }

  private Map<Integer, MeasuredFigure> figures(Map<PaperMix, List<Round>> rounds) {
    Series latency = curve("all", rounds, round -> round.measured().latency().getMean() / MILLI);
    Series throughput = curve("transactions", rounds, round -> round.measured().perSecond());
    Series servers = curve("servers", rounds, round -> round.measured().serverSecondsPer1000());
    Series clients = curve("clients", rounds, round -> round.measured().clientSecondsPer1000());
    Series oneNode = curve("on one node", rounds, round -> PERCENT * round.onOneNode());
    Series enough = curve("most", rounds, _ -> PERCENT * MOST);
    String at = " at " + Numbers.list(throughput.xs()) + "% updates: ";
    Map<String, String> settings = settings(rounds);
    Map<Integer, MeasuredFigure> figures = new LinkedHashMap<>();
    figures.put(
        16,
        figure(
            settings,
            List.of(chart("processes", "Transaction latency, TPC-W", "ms", List.of(latency))),
            List.of(
                Claim.of(
                    on() + "the latency grows with the share of updates.",
                    "ms" + at + Numbers.list(latency.ys()),
                    Margin.rising("%s% updates and the mix before", latency)))));
    figures.put(
        17,
        figure(
            settings,
            List.of(
                chart(
                    "processes",
                    "System throughput, TPC-W",
                    "transactions per second",
                    List.of(throughput)),
                chart(
                    "processes-cpu",
                    "Processor time, TPC-W",
                    "processor ms per transaction",
                    List.of(servers, clients))),
            List.of(
                Claim.of(
                    on() + "the throughput declines as more transactions update.",
                    "transactions/s%s%s; processor ms per transaction: %s"
                        .formatted(
                            at,
                            Numbers.list(throughput.ys()),
                            Numbers.curves(List.of(servers, clients))),
                    Margin.falling("%s% updates and the mix before", throughput)),
                Claim.of(
                    on() + "most transactions touch one node only, in every mix.",
                    "%% of the transactions%s%s; most means %s%%"
                        .formatted(at, exactly(oneNode), Numbers.text(PERCENT * MOST)),
                    Margin.above("%s% updates", oneNode, enough)))));
    return figures;
  }

  /** A share that is almost all is not said to be all. */
  private static String exactly(Series shares) {
    return String.join(
        ", ",
        shares.ys().stream().map(share -> String.format(Locale.ROOT, "%.3f", share)).toList());
  }

  private Map<String, String> settings(Map<PaperMix, List<Round>> rounds) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("processes", String.valueOf(nodes));
    settings.put("clients of the processes", String.valueOf(nodes));
    settings.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    List<Measured> all =
        rounds.values().stream().flatMap(List::stream).map(Round::measured).toList();
    double nanos = all.stream().mapToLong(Measured::nanos).sum();
    settings.put("processors used by servers", used(all, each -> each.serversNanos(), nanos));
    settings.put("by the clients", used(all, each -> each.clientNanos(), nanos));
    if (all.stream().map(Measured::othersNanos).allMatch(Optional::isPresent)) {
      settings.put(
          "by other work of the machine", used(all, each -> each.othersNanos().orElse(0L), nanos));
    }
    settings.put(
        "conflicts on processes",
        "%d of %.0f transactions"
            .formatted(
                all.stream().mapToLong(Measured::aborts).sum(),
                all.stream().mapToDouble(each -> each.perSecond() * each.nanos() / SECOND).sum()));
    return settings;
  }

  private static String used(
      List<Measured> all, ToDoubleFunction<Measured> processorNanos, double nanos) {
    return Numbers.text(all.stream().mapToDouble(processorNanos).sum() / nanos);
  }

  private MeasuredFigure figure(
      Map<String, String> settings, List<Chart> charts, List<Claim> claims) {
    return new MeasuredFigure(
        ("Measured: %d node processes on this machine with ZooKeeper and bookies in them, %d"
                + " copies, over TCP; a client for each of them does one transaction after the"
                + " other on the same data, loaded before; medians of interleaved rounds of 2 s.")
            .formatted(nodes, copies),
        settings,
        charts,
        claims);
  }

  private String on() {
    return "On %d processes: ".formatted(nodes);
  }

  private Chart chart(String name, String title, String y, List<Series> series) {
    return new Chart(
        name, "%s, %d processes".formatted(title, nodes), "updates (%)", y, false, series);
  }
}
