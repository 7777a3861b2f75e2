package org.ecstore.tools.measure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.attack.NodeGauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a cluster goes on at full load while one snapshot is held open and one member is frozen:
 * its process is there and its sockets are open, and it answers nothing (rule W8).
 */
final class LivenessMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(LivenessMeasurement.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** What the window of a node has of its heap, unless its configuration says otherwise. */
  private static final int WINDOW_PART = 8;

  /** Samples of a run, as long as they are a second apart. */
  private static final int SAMPLES = 60;

  /**
   * What is run.
   *
   * @param seconds for which the member is frozen
   * @param longFailure after which its copies are given up, and the ledger is trimmed again
   */
  record Settings(
      int nodes, ReplicationSettings replication, int clients, int seconds, Duration longFailure) {}

  /**
   * What came of it.
   *
   * @param frozen the member
   * @param windowBytesMax what the window of a node has room for
   * @param failures of clients
   * @param longestLease for how long one snapshot has answered; zero if none has
   */
  record Outcome(
      int frozen,
      long windowBytesMax,
      List<LivenessSample> samples,
      LivenessVerdict verdict,
      long failures,
      Duration longestLease,
      int leasesTooOld,
      int leaseFailures) {}

  private final Path directory;
  private final Settings settings;
  private final LongConsumer step;

  LivenessMeasurement(Path directory, Settings settings, LongConsumer step) {
    this.directory = directory;
    this.settings = settings;
    this.step = step;
  }

  Outcome run() throws IOException, InterruptedException {
    ReplicationSettings replication =
        settings.replication().withTimeout(settings.longFailure(), settings.replication().settle());
    try (MeasuredCluster cluster =
            MeasuredCluster.startWithMetrics(directory, settings.nodes(), replication);
        EcStore store =
            EcStore.connect(
                cluster.processes().addresses(), EcStoreOptions.DEFAULT.deadline(PATIENCE));
        HttpClient http = HttpClient.newHttpClient();
        SteadyLoad load = SteadyLoad.start(store, settings.clients())) {
      ProcessCluster processes = cluster.processes();
      cluster.awaitCopies();
      int frozen = cluster.lastBesideSequencer();
      Map<Integer, NodeGauge> gauges = gauges(processes, frozen);
      try {
        processes.pause(frozen);
        try (HeldSnapshot held = HeldSnapshot.begin(store)) {
          List<LivenessSample> samples = watch(processes, http, load, gauges);
          long room = Long.MAX_VALUE;
          for (NodeGauge gauge : gauges.values()) {
            room = Math.min(room, gauge.heapBytesMax() / WINDOW_PART);
          }
          Duration lease = held.longest();
          return new Outcome(
              frozen,
              room,
              samples,
              LivenessVerdict.of(samples, lease, room),
              load.failures(),
              lease,
              held.tooOld(),
              held.failures());
        }
      } finally {
        processes.resume(frozen);
        for (NodeGauge gauge : gauges.values()) {
          gauge.close();
        }
      }
    }
  }

  /** How many samples there are of so many seconds. */
  static int samples(int seconds) {
    return Math.clamp(seconds, LivenessVerdict.SAMPLES_MIN, SAMPLES);
  }

  private static Map<Integer, NodeGauge> gauges(ProcessCluster processes, int frozen)
      throws IOException {
    Map<Integer, NodeGauge> gauges = new TreeMap<>();
    for (int node : processes.nodes()) {
      if (node != frozen) {
        long pid =
            processes
                .pid(node)
                .orElseThrow(() -> new IOException("node " + node + " does not run"));
        gauges.put(node, new NodeGauge(pid));
      }
    }
    return gauges;
  }

  private List<LivenessSample> watch(
      ProcessCluster processes, HttpClient http, SteadyLoad load, Map<Integer, NodeGauge> gauges)
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
      lag = Math.max(lag, numbers.of(NodeMetrics.FOLD_LAG));
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
