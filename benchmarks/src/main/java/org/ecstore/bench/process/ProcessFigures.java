package org.ecstore.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.FigureRun;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Numbers;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.Table;
import org.ecstore.client.TupleRange;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Figures 4, 5, 6, 12, 16 and 17 on real node processes of this machine: one size of the system, as
 * all share its processors. What depends on many nodes (7 to 11, 13 to 15) is simulated only.
 */
public final class ProcessFigures {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessFigures.class);
  private static final int COPIES = 3;
  private static final int CLIENTS = 8;
  private static final int PHOTOS_PER_DAY = 500;
  private static final int LOADED_AT_ONCE = 500;
  private static final int SETTLING_WRITES = 64;
  private static final int PARALLEL_REQUESTS = 4;
  private static final long READ_AHEAD_BYTES = 16 << 20;
  private static final double MILLI = 1e6;
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Bytes PHOTO = Bytes.wrap(new byte[200]);

  private static final Table<Bytes> PHOTOS = Table.of("photos", Codec.bytes());

  private final int nodes;
  private final boolean quick;
  private final Runnable steps;

  /**
   * To be run once.
   *
   * @param nodes how many processes, 3 at least
   * @param quick shorter rounds, and fewer of them: to see that it works
   * @param steps is told of each piece of work that is done
   */
  public ProcessFigures(int nodes, boolean quick, Runnable steps) {
    if (nodes < COPIES) {
      throw new IllegalArgumentException(
          "ranges have " + COPIES + " copies, each on a node of its own: not on " + nodes);
    }
    this.nodes = nodes;
    this.quick = quick;
    this.steps = steps;
  }

  /** Which of some figures can be measured. */
  public static TreeSet<Integer> of(Collection<Integer> numbers) {
    TreeSet<Integer> some = new TreeSet<>(List.of(4, 5, 6, 12, 16, 17));
    some.retainAll(numbers);
    return some;
  }

  /** About how many pieces of work {@link #added} reports. */
  public static int steps(Collection<Integer> numbers, boolean quick) {
    TreeSet<Integer> some = of(numbers);
    int rounds = rounds(quick);
    int pieces = some.equals(tpcw(some)) ? 0 : 1;
    pieces += tpcw(some).isEmpty() ? 0 : ProcessTpcw.steps(quick);
    pieces += some.contains(4) || some.contains(6) ? COPIES * rounds : 0;
    pieces += some.contains(5) ? COPIES * rounds : 0;
    return pieces + (some.contains(12) ? days(quick).length : 0);
  }

  /** Those of some figures that have data of their own. */
  private static TreeSet<Integer> tpcw(TreeSet<Integer> some) {
    TreeSet<Integer> shop = new TreeSet<>(List.of(16, 17));
    shop.retainAll(some);
    return shop;
  }

  private static int rounds(boolean quick) {
    return quick ? 1 : 5;
  }

  private static int[] days(boolean quick) {
    return quick ? new int[] {1, 7} : new int[] {1, 7, 14, 30, 60, 90, 120};
  }

  /**
   * The reports of simulated figures, with charts and claims of the processes added to those that
   * can be measured.
   *
   * @param directory where clusters keep their data, empty or not there
   */
  public List<FigureReport> added(List<FigureReport> simulated, Path directory)
      throws IOException, InterruptedException {
    TreeSet<Integer> numbers = of(simulated.stream().map(FigureReport::number).toList());
    Map<Integer, MeasuredFigure> measured = new LinkedHashMap<>();
    if (!numbers.equals(tpcw(numbers))) {
      photosOf(directory.resolve("photos"), numbers, measured);
    }
    if (!tpcw(numbers).isEmpty()) {
      measured.putAll(
          new ProcessTpcw(nodes, COPIES, quick, steps)
              .measure(directory.resolve("tpcw"), START_WITHIN));
    }
    return simulated.stream()
        .map(
            report ->
                measured.containsKey(report.number())
                    ? measured.get(report.number()).to(report)
                    : report)
        .toList();
  }

  private void photosOf(Path directory, TreeSet<Integer> numbers, Map<Integer, MeasuredFigure> to)
      throws IOException, InterruptedException {
    NewCluster made =
        NewCluster.DEFAULT
            .withReplication(ReplicationSettings.DEFAULT.withCopies(COPIES))
            .withSplitHints(splitHints());
    try (ProcessCluster cluster = ProcessCluster.during(directory, START_WITHIN, made)) {
      cluster.up(nodes, line -> LOG.info("{}", line));
      measure(cluster.addresses(), numbers, to);
    }
  }

  private int photos() {
    int[] days = days(quick);
    return 2 * days[days.length - 1] * PHOTOS_PER_DAY;
  }

  private List<Bytes> splitHints() {
    Bytes table = PHOTOS.keys().start();
    return IntStream.range(1, 2 * nodes)
        .mapToObj(i -> Tuple.of((long) i * photos() / (2L * nodes)).encode(table))
        .toList();
  }

  private void measure(String addresses, TreeSet<Integer> numbers, Map<Integer, MeasuredFigure> to)
      throws InterruptedException {
    try (EcStore store = EcStore.connect(addresses, EcStoreOptions.DEFAULT)) {
      load(store);
      steps.run();
      if (numbers.contains(4) || numbers.contains(6)) {
        reads(store, to);
      }
      if (numbers.contains(5)) {
        to.put(5, writes(store));
      }
    }
    if (numbers.contains(12)) {
      to.put(12, scans(addresses));
    }
  }

  private void load(EcStore store) throws InterruptedException {
    int chunks = (photos() + LOADED_AT_ONCE - 1) / LOADED_AT_ONCE;
    new ClosedClients(CLIENTS)
        .each(
            chunks,
            chunk ->
                store.execute(
                    tx -> {
                      int from = chunk * LOADED_AT_ONCE;
                      int to = Math.min(photos(), from + LOADED_AT_ONCE);
                      for (int i = from; i < to; i++) {
                        tx.put(PHOTOS, Tuple.of((long) i), PHOTO);
                      }
                    }));
    // What a transaction wrote is on the primary, and elsewhere soon. All copies that have one
    // write of a range have all before it.
    QuorumStore everywhere = store.quorum(COPIES, COPIES, 1);
    for (int i = 0; i < SETTLING_WRITES; i++) {
      Tuple key = Tuple.of((long) i * photos() / SETTLING_WRITES);
      require(!everywhere.put(PHOTOS, key, PHOTO).isUnderReplicated());
    }
  }

  private MeasuredFigure measured(String what, List<Chart> charts, List<Claim> claims) {
    return new MeasuredFigure(
        "Measured: %d node processes on this machine with ZooKeeper and bookies in them, %d copies, over TCP; %s."
            .formatted(nodes, COPIES, what),
        Map.of(
            "processes", String.valueOf(nodes),
            "clients of the processes", String.valueOf(CLIENTS)),
        charts,
        claims);
  }

  private String on() {
    return "On %d processes: ".formatted(nodes);
  }

  private Tuple anyKey() {
    return Tuple.of((long) ThreadLocalRandom.current().nextInt(photos()));
  }

  private interface Operation {
    void on(QuorumStore store, Tuple key);
  }

  /**
   * Rounds of an operation at each quorum, after enough of them for the nodes to be warm; every
   * other round in the opposite order, so that none gains by its place. All rounds of each.
   */
  private List<List<ClosedClients.Outcome>> byQuorum(List<QuorumStore> stores, Operation operation)
      throws InterruptedException {
    ClosedClients clients = new ClosedClients(CLIENTS);
    long nanos = Duration.ofMillis(quick ? 500 : 3_000).toNanos();
    for (QuorumStore store : stores) {
      clients.run(quick ? nanos : 3 * nanos, () -> operation.on(store, anyKey()));
    }
    List<List<ClosedClients.Outcome>> rounds = new ArrayList<>();
    stores.forEach(_ -> rounds.add(new ArrayList<>()));
    for (int round = 0; round < rounds(quick); round++) {
      for (int i = 0; i < stores.size(); i++) {
        int turn = round % 2 == 0 ? i : stores.size() - 1 - i;
        QuorumStore store = stores.get(turn);
        rounds.get(turn).add(clients.run(nanos, () -> operation.on(store, anyKey())));
        steps.run();
      }
    }
    return rounds;
  }

  private void reads(EcStore store, Map<Integer, MeasuredFigure> to) throws InterruptedException {
    List<QuorumStore> stores =
        IntStream.rangeClosed(1, COPIES)
            .mapToObj(r -> store.quorum(COPIES, COPIES + 1 - r, r))
            .toList();
    List<List<ClosedClients.Outcome>> outcomes =
        byQuorum(stores, (quorum, key) -> require(quorum.get(PHOTOS, key).value().isPresent()));
    Series throughput = new Series("reads");
    Series latency = new Series("reads");
    for (int r = 1; r <= COPIES; r++) {
      throughput.add(r, FigureRun.of(outcomes.get(r - 1), ClosedClients.Outcome::perSecond));
      latency.add(r, FigureRun.of(outcomes.get(r - 1), ClosedClients.Outcome::meanMillis));
    }
    String how = CLIENTS + " clients read single records of 200 B; medians of interleaved rounds";
    to.put(
        4,
        measured(
            how,
            List.of(chart("Read throughput", "R", "reads per second", throughput)),
            List.of(
                Claim.of(
                    on() + "a higher level of read consistency costs throughput.",
                    "reads/s at R = 1, 2, 3: " + Numbers.list(throughput.ys()),
                    Margin.falling("R = %s and the one before", throughput)))));
    to.put(
        6,
        measured(
            how,
            List.of(chart("Mean read latency", "R", "ms", latency)),
            List.of(
                Claim.of(
                    on() + "a larger read quorum means a higher latency.",
                    "ms at R = 1, 2, 3: " + Numbers.list(latency.ys()),
                    Margin.rising("R = %s and the one before", latency)))));
  }

  private MeasuredFigure writes(EcStore store) throws InterruptedException {
    List<QuorumStore> stores =
        IntStream.rangeClosed(1, COPIES)
            .mapToObj(w -> store.quorum(COPIES, w, COPIES + 1 - w))
            .toList();
    List<List<ClosedClients.Outcome>> outcomes =
        byQuorum(stores, (quorum, key) -> quorum.put(PHOTOS, key, PHOTO));
    Series throughput = new Series("writes");
    for (int w = 1; w <= COPIES; w++) {
      throughput.add(w, FigureRun.of(outcomes.get(w - 1), ClosedClients.Outcome::perSecond));
    }
    return measured(
        CLIENTS
            + " clients write single records and wait until W copies have them (optimistic: 1,"
            + " pessimistic: 3); medians of interleaved rounds",
        List.of(chart("Write throughput", "W", "writes per second", throughput)),
        List.of(
            Claim.of(
                on() + "pessimistic replication is outperformed by optimistic replication.",
                "writes/s at W = 1, 2, 3: " + Numbers.list(throughput.ys()),
                List.of(
                    Margin.above(
                        "W = 1 and 3", throughput.point(0), throughput.point(COPIES - 1))))));
  }

  private MeasuredFigure scans(String addresses) {
    Series sequential = new Series("sequential");
    Series parallel = new Series("parallel");
    EcStoreOptions options = EcStoreOptions.DEFAULT;
    try (EcStore one = EcStore.connect(addresses, options.scanAhead(1, READ_AHEAD_BYTES));
        EcStore many =
            EcStore.connect(addresses, options.scanAhead(PARALLEL_REQUESTS, READ_AHEAD_BYTES))) {
      int warm = 2;
      for (int days : days(quick)) {
        List<Double> slow = new ArrayList<>();
        List<Double> fast = new ArrayList<>();
        int scans = quick ? 2 : 11;
        for (int i = 0; i < scans + warm; i++) {
          int from = ThreadLocalRandom.current().nextInt(photos() - days * PHOTOS_PER_DAY);
          double first = millis(one, from, days);
          double second = millis(many, from, days);
          if (i >= warm) {
            slow.add(first);
            fast.add(second);
          }
        }
        sequential.add(days, new Repeated(slow));
        parallel.add(days, new Repeated(fast));
        steps.run();
      }
    }
    String found =
        "ms at %s days: %s"
            .formatted(
                Numbers.list(sequential.xs()), Numbers.curves(List.of(sequential, parallel)));
    List<Margin> faster = Margin.above("%s days", sequential, parallel);
    return measured(
        "one client scans an idle system, page after page or with "
            + PARALLEL_REQUESTS
            + " requests at a time on several copies; medians of interleaved scans",
        List.of(
            new Chart(
                "processes",
                "Latency of range scans, %d processes".formatted(nodes),
                "days",
                "ms",
                false,
                List.of(sequential, parallel))),
        List.of(
            Claim.of(
                on() + "scanning pieces of the range on different replicas improves the latency.",
                found + "; from the first size on that is more than a page",
                faster.subList(1, faster.size())),
            Claim.of(
                on() + "the latency of a sequential scan grows with the size of the range.",
                found,
                Margin.rising("%s days", sequential))));
  }

  private static double millis(EcStore store, int from, int days) {
    int to = from + days * PHOTOS_PER_DAY;
    long begun = System.nanoTime();
    long read =
        store.read(
            snapshot ->
                snapshot
                    .scan(PHOTOS, TupleRange.between(Tuple.of((long) from), Tuple.of((long) to)))
                    .stream()
                    .count());
    double millis = (System.nanoTime() - begun) / MILLI;
    require(read == to - from);
    return millis;
  }

  private Chart chart(String title, String x, String y, Series series) {
    return new Chart(
        "processes", title + ", %d processes".formatted(nodes), x, y, false, List.of(series));
  }

  private static void require(boolean right) {
    if (!right) {
      throw new IllegalStateException("the store gave a wrong answer: the figures mean nothing");
    }
  }
}
