package org.ecstore.tools.measure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.attack.NodeGauge;
import org.ecstore.tools.measure.Measurements.LivenessFault;
import org.ecstore.tools.measure.Measurements.LivenessSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a cluster goes on at full load while one snapshot is held open and one member is frozen:
 * its process is there and its sockets are open, and it answers nothing (rule W8); or while the
 * database server below a member hangs or is gone, and the member lives.
 */
final class LivenessMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(LivenessMeasurement.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** What the window of a node has of its heap, unless its configuration says otherwise. */
  private static final int WINDOW_PART = 8;

  /** The least that a node is waited for whose server is there again. */
  private static final int WHOLE_SECONDS = 120;

  /** Samples of a run, as long as they are a second apart. */
  private static final int SAMPLES = 60;

  /**
   * What came of it.
   *
   * @param node that was frozen, or whose database server was hurt
   * @param windowBytesMax what the window of a node has room for
   * @param failures of clients
   * @param longestLease for how long one snapshot has answered; zero if none has
   * @param database what became of the node's ranges; absent if the node was frozen
   */
  record Outcome(
      int node,
      long windowBytesMax,
      List<LivenessSample> samples,
      LivenessVerdict verdict,
      long failures,
      Duration longestLease,
      int leasesTooOld,
      int leaseFailures,
      Optional<DatabaseFault.Seen> database) {
    /** The same, with what became of the ranges of a node whose server was hurt. */
    Outcome with(DatabaseFault.Seen seen) {
      return new Outcome(
          node,
          windowBytesMax,
          samples,
          verdict,
          failures,
          longestLease,
          leasesTooOld,
          leaseFailures,
          Optional.of(seen));
    }

    boolean isKept() {
      return verdict.isKept() && database.map(DatabaseFault.Seen::isKept).orElse(true);
    }
  }

  private final Path directory;
  private final LivenessSettings settings;
  private final LongConsumer step;

  LivenessMeasurement(Path directory, LivenessSettings settings, LongConsumer step) {
    this.directory = directory;
    this.settings = settings;
    this.step = step;
  }

  Outcome run() throws IOException, InterruptedException {
    try (MeasuredCluster cluster = start();
        EcStore store =
            EcStore.connect(
                cluster.processes().addresses(), EcStoreOptions.DEFAULT.deadline(PATIENCE));
        HttpClient http = HttpClient.newHttpClient();
        SteadyLoad load = SteadyLoad.start(store, settings.clients())) {
      cluster.awaitCopies();
      return settings.fault() == LivenessFault.FREEZE_NODE
          ? withFrozen(cluster, store, http, load)
          : withoutDatabase(cluster, store, http, load);
    }
  }

  private MeasuredCluster start() throws IOException, InterruptedException {
    ReplicationSettings replication =
        settings.replication().withTimeout(settings.longFailure(), settings.replication().settle());
    return settings.mix().isPresent()
        ? MeasuredCluster.startWithMetrics(directory, settings.mix().get(), replication)
        : MeasuredCluster.startWithMetrics(directory, settings.nodes(), replication);
  }

  private Outcome withFrozen(
      MeasuredCluster cluster, EcStore store, HttpClient http, SteadyLoad load)
      throws IOException, InterruptedException {
    ProcessCluster processes = cluster.processes();
    int frozen = cluster.lastBesideSequencer();
    Map<Integer, NodeGauge> gauges = gauges(processes, node -> node != frozen);
    try {
      processes.pause(frozen);
      return watch(processes, store, http, load, gauges, frozen);
    } finally {
      processes.resume(frozen);
      close(gauges);
    }
  }

  /** All nodes live, and the memory of each is looked at. */
  private Outcome withoutDatabase(
      MeasuredCluster cluster, EcStore store, HttpClient http, SteadyLoad load)
      throws IOException, InterruptedException {
    ProcessCluster processes = cluster.processes();
    try (DatabaseFault fault = DatabaseFault.of(cluster)) {
      Map<Integer, NodeGauge> gauges = gauges(processes, _ -> true);
      Outcome outcome;
      try {
        fault.begin(settings.fault() == LivenessFault.KILL_DATABASE);
        outcome = watch(processes, store, http, load, gauges, fault.node());
      } finally {
        close(gauges);
      }
      Duration within = Duration.ofSeconds(Math.max(WHOLE_SECONDS, settings.seconds()));
      return outcome.with(fault.end(within));
    }
  }

  /** Holds a snapshot for as long as the run is, and looks. */
  private Outcome watch(
      ProcessCluster processes,
      EcStore store,
      HttpClient http,
      SteadyLoad load,
      Map<Integer, NodeGauge> gauges,
      int hurt)
      throws IOException, InterruptedException {
    try (HeldSnapshot held = HeldSnapshot.begin(store)) {
      List<LivenessSample> samples = samples(processes, http, load, gauges, hurt);
      long room = Long.MAX_VALUE;
      for (NodeGauge gauge : gauges.values()) {
        room = Math.min(room, gauge.heapBytesMax() / WINDOW_PART);
      }
      Duration lease = held.longest();
      return new Outcome(
          hurt,
          room,
          samples,
          LivenessVerdict.of(samples, Duration.ofSeconds(settings.seconds()), lease, room),
          load.failures(),
          lease,
          held.tooOld(),
          held.failures(),
          Optional.empty());
    }
  }

  /** How many samples there are of so many seconds. */
  static int samples(int seconds) {
    return Math.clamp(seconds, LivenessVerdict.SAMPLES_MIN, SAMPLES);
  }

  private static Map<Integer, NodeGauge> gauges(ProcessCluster processes, IntPredicate lives)
      throws IOException {
    Map<Integer, NodeGauge> gauges = new TreeMap<>();
    for (int node : processes.nodes()) {
      if (lives.test(node)) {
        long pid =
            processes
                .pid(node)
                .orElseThrow(() -> new IOException("node " + node + " does not run"));
        gauges.put(node, new NodeGauge(pid));
      }
    }
    return gauges;
  }

  private static void close(Map<Integer, NodeGauge> gauges) throws IOException {
    for (NodeGauge gauge : gauges.values()) {
      gauge.close();
    }
  }

  private List<LivenessSample> samples(
      ProcessCluster processes,
      HttpClient http,
      SteadyLoad load,
      Map<Integer, NodeGauge> gauges,
      int hurt)
      throws IOException, InterruptedException {
    int count = samples(settings.seconds());
    long apart = TimeUnit.SECONDS.toNanos(settings.seconds()) / count;
    List<LivenessSample> samples = new ArrayList<>();
    long begun = System.nanoTime();
    long lastNanos = begun;
    long last = load.commits();
    for (int i = 1; i <= count; i++) {
      TimeUnit.NANOSECONDS.sleep(Math.max(1, begun + i * apart - System.nanoTime()));
      long commits = load.commits();
      long now = System.nanoTime();
      LivenessSample sample =
          sample(
              processes,
              http,
              gauges,
              hurt,
              (now - begun) / 1e9,
              commits - last,
              (commits - last) / ((now - lastNanos) / 1e9));
      last = commits;
      lastNanos = now;
      samples.add(sample);
      LOG.info("{}", sample);
      step.accept(1);
    }
    return samples;
  }

  private static LivenessSample sample(
      ProcessCluster processes,
      HttpClient http,
      Map<Integer, NodeGauge> gauges,
      int hurt,
      double seconds,
      long commits,
      double perSecond)
      throws IOException, InterruptedException {
    double trimmed = 0;
    double durable = 0;
    double window = 0;
    double lag = 0;
    long heap = 0;
    for (Map.Entry<Integer, NodeGauge> each : gauges.entrySet()) {
      String address = processes.metricsAddress(each.getKey()).orElseThrow();
      NodeNumbers numbers = NodeNumbers.of(http, address);
      trimmed = Math.max(trimmed, numbers.of(NodeMetrics.LEDGER_TRIMMED));
      durable = Math.max(durable, numbers.of(NodeMetrics.DURABLE));
      window = Math.max(window, numbers.of(NodeMetrics.WINDOW));
      // One whose server does nothing folds nothing.
      lag = each.getKey() == hurt ? lag : Math.max(lag, numbers.of(NodeMetrics.FOLD_LAG));
      heap = Math.max(heap, each.getValue().look().heapBytes());
    }
    return new LivenessSample(
        seconds,
        commits,
        perSecond,
        (long) trimmed,
        (long) durable,
        (long) window,
        (long) lag,
        heap);
  }
}
