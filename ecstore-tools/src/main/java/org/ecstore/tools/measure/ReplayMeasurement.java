package org.ecstore.tools.measure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.ReplayStage;
import org.ecstore.model.CopyState;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a node that is started again replays its window of versions: its process gets SIGKILL
 * while clients commit, the others go on until the ledger has so many records above what that node
 * has folded, and it is started. It has replayed once each of its copies is closed where the ledger
 * ended then.
 */
final class ReplayMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayMeasurement.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The ledger is kept for the node that is away, and its copies are not made anew elsewhere. */
  private static final Duration AWAY_MAX = Duration.ofHours(6);

  private static final Duration REPLAY_WITHIN = Duration.ofMinutes(10);
  private static final Duration STANDSTILL_MAX = Duration.ofMinutes(2);

  /** A look costs processors that the node wants, and is as exact as it is often. */
  private static final long LOOK_MILLIS = 50;

  private static final double MILLIS = 1_000;

  /**
   * What is measured.
   *
   * @param records of the ledger that the node lacks when it is started
   * @param loaded whether clients go on while it replays
   */
  record Settings(
      int nodes,
      ReplicationSettings replication,
      long records,
      int clients,
      boolean loaded,
      int rounds) {}

  /**
   * Times in milliseconds: of the process until it answers, from there until it has replayed; and
   * how much of that went by before the first records were in the window, while it found the other
   * nodes and the end of the ledger; then how long it waited for the ledger, decoded, and brought
   * writes into the window, the last two beside each other.
   *
   * @param records that it lacked
   * @param parts of the ledger that were read for copies: where copies read apart, the same one
   *     counts for each of them
   */
  record Row(
      int round,
      int node,
      long records,
      long startMillis,
      long replayMillis,
      long waitMillis,
      long parts,
      double ledgerMillis,
      double decodeMillis,
      double windowMillis) {}

  private final Path directory;
  private final Settings settings;
  private final LongConsumer step;

  ReplayMeasurement(Path directory, Settings settings, LongConsumer step) {
    this.directory = directory;
    this.settings = settings;
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    ReplicationSettings replication =
        settings.replication().withTimeout(AWAY_MAX, settings.replication().settle());
    try (MeasuredCluster cluster =
            MeasuredCluster.startWithMetrics(directory, settings.nodes(), replication);
        EcStore store =
            EcStore.connect(
                cluster.processes().addresses(), EcStoreOptions.DEFAULT.deadline(PATIENCE));
        HttpClient http = HttpClient.newHttpClient()) {
      for (int round = 1; round <= settings.rounds(); round++) {
        rows.add(measure(cluster, store, http, round));
        step.accept(1);
      }
    }
    return rows;
  }

  private Row measure(MeasuredCluster cluster, EcStore store, HttpClient http, int round)
      throws IOException, InterruptedException {
    ProcessCluster processes = cluster.processes();
    cluster.awaitCopies();
    int away = cluster.lastBesideSequencer();
    try (SteadyLoad load = SteadyLoad.start(store, settings.clients())) {
      processes.kill(away);
      awaitRecords(processes, newest(processes.status()) + settings.records());
      if (!settings.loaded()) {
        load.rest();
      }
      Row row = restart(processes, http, round, away);
      LOG.info("{}", row);
      return row;
    }
  }

  /** The newest position that a node that answers knows of. */
  private static long newest(List<NodeStatus> all) {
    return all.stream()
        .flatMap(each -> each.seen().stream())
        .mapToLong(seen -> seen.point().position().value())
        .max()
        .orElse(0);
  }

  private static void awaitRecords(ProcessCluster processes, long target)
      throws IOException, InterruptedException {
    long last = 0;
    long moved = System.nanoTime();
    while (last < target) {
      long now = newest(processes.status());
      if (now > last) {
        last = now;
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > STANDSTILL_MAX.toNanos()) {
        throw new IOException(
            "nothing was committed for %d s, with one node away"
                .formatted(STANDSTILL_MAX.toSeconds()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static Row restart(ProcessCluster processes, HttpClient http, int round, int node)
      throws IOException, InterruptedException {
    long target = newest(processes.status());
    long begun = System.nanoTime();
    processes.launch(node, _ -> {});
    List<CopyLine> first = List.of();
    long answered = begun;
    long reading = begun;
    while (true) {
      List<CopyLine> copies =
          processes.status(node).seen().map(Inspected::copies).orElse(List.of());
      long now = System.nanoTime();
      if (first.isEmpty() && !copies.isEmpty()) {
        first = copies;
        answered = now;
        reading = now;
      }
      if (reading == answered && closed(copies) > closed(first)) {
        reading = now;
      }
      if (hasReplayed(copies, target)) {
        long folded = first.stream().mapToLong(copy -> copy.durable().value()).min().orElse(target);
        NodeNumbers numbers = NodeNumbers.of(http, processes.metricsAddress(node).orElseThrow());
        return new Row(
            round,
            node,
            target - folded,
            (answered - begun) / 1_000_000,
            (now - answered) / 1_000_000,
            (reading - answered) / 1_000_000,
            numbers.count(NodeMetrics.REPLAY_TIME, ReplayStage.LEDGER),
            MILLIS * numbers.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.LEDGER),
            MILLIS * numbers.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.DECODE),
            MILLIS * numbers.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.WINDOW));
      }
      if (now - begun > REPLAY_WITHIN.toNanos()) {
        throw new IOException(
            "node %d has not replayed within %d s; its log is %s"
                .formatted(node, REPLAY_WITHIN.toSeconds(), processes.log(node)));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static long closed(List<CopyLine> copies) {
    return copies.stream().mapToLong(copy -> copy.closed().value()).max().orElse(0);
  }

  private static boolean hasReplayed(List<CopyLine> copies, long target) {
    return !copies.isEmpty()
        && copies.stream()
            .allMatch(
                copy ->
                    (copy.state() == CopyState.SERVING || copy.state() == CopyState.FOLLOWING)
                        && copy.closed().value() >= target);
  }
}
