package org.ecstore.server.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.process.NodeStatus;
import org.ecstore.server.process.ProcessCluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long clients wait when the sequencer is killed: a cluster of processes, whose sequencer gets
 * SIGKILL again and again. Each time it is started again, and all nodes serve, before the next.
 * Writers of single keys, spread over all ranges, see when writes go on; readers of snapshots that
 * may be a little old, on ranges of nodes that live, see whether reads went on meanwhile.
 */
final class TakeOverMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOverMeasurement.class);
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final Duration RESUME_WITHIN = Duration.ofMinutes(1);
  private static final long CALM_MILLIS = 3_000;
  private static final long LOOK_MILLIS = 5;
  private static final int PROBES = 16;
  private static final Probes.Pace PACE = new Probes.Pace(50, System::nanoTime);

  /** Times in milliseconds. */
  record Row(int kill, int sequencer, int successor, long writesResumed, long longestReadGap) {}

  private final Path directory;
  private final int nodes;
  private final int kills;
  private final LongConsumer step;

  TakeOverMeasurement(Path directory, int nodes, int kills, LongConsumer step) {
    this.directory = directory;
    this.nodes = nodes;
    this.kills = kills;
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    try (ProcessCluster cluster =
        ProcessCluster.in(directory, START_WITHIN, Subject.splitHints())) {
      Thread ending = new Thread(() -> down(cluster), "measure-end");
      Runtime.getRuntime().addShutdownHook(ending);
      try {
        cluster.up(nodes, line -> LOG.info("{}", line));
        return run(cluster);
      } finally {
        Runtime.getRuntime().removeShutdownHook(ending);
        cluster.down();
      }
    }
  }

  private static void down(ProcessCluster cluster) {
    try {
      cluster.down();
    } catch (IOException | RuntimeException e) {
      LOG.warn("the cluster's processes may still run: {}", e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Row> run(ProcessCluster cluster) throws IOException, InterruptedException {
    List<Tuple> keys =
        LongStream.range(0, PROBES)
            .mapToObj(i -> Tuple.of((2 * i + 1) * CommitLoad.KEYS / (2 * PROBES)))
            .toList();
    List<Row> rows = new ArrayList<>();
    try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT);
        Probes writes =
            Probes.writing(store, CommitLoad.TABLE, keys, Bytes.wrap(new byte[100]), PACE);
        Probes reads = Probes.reading(store, CommitLoad.TABLE, keys, PACE)) {
      for (int kill = 1; kill <= kills; kill++) {
        Thread.sleep(CALM_MILLIS);
        rows.add(measure(cluster, kill, writes, reads));
        step.accept(1);
      }
    }
    return rows;
  }

  private Row measure(ProcessCluster cluster, int kill, Probes writes, Probes reads)
      throws IOException, InterruptedException {
    int sequencer = awaitSequencer(cluster);
    long at = System.nanoTime();
    writes.forget(at);
    reads.forget(at);
    cluster.kill(sequencer);
    long gone = System.nanoTime();
    OptionalLong resumed = writes.firstBegunAfter(gone);
    while (resumed.isEmpty()) {
      if (System.nanoTime() - gone > RESUME_WITHIN.toNanos()) {
        throw new IOException(
            "no write for %d s after node %d, the sequencer, was killed"
                .formatted(RESUME_WITHIN.toSeconds(), sequencer));
      }
      Thread.sleep(LOOK_MILLIS);
      resumed = writes.firstBegunAfter(gone);
    }
    // Readers of the ranges that are away show in a gap only when they are back.
    long gap = reads.longestGapMillis(at, resumed.getAsLong());
    int successor = awaitSequencer(cluster);
    long took = TimeUnit.NANOSECONDS.toMillis(resumed.getAsLong() - at);
    LOG.info("writes go on {} ms after the kill of {}, by {}", took, sequencer, successor);
    cluster.start(sequencer);
    awaitWhole(cluster);
    return new Row(kill, sequencer, successor, took, gap);
  }

  private static int awaitSequencer(ProcessCluster cluster)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + RESUME_WITHIN.toNanos();
    Optional<Integer> sequencer = cluster.sequencer();
    while (sequencer.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("no node is the sequencer");
      }
      Thread.sleep(LOOK_MILLIS);
      sequencer = cluster.sequencer();
    }
    return sequencer.get();
  }

  private static void awaitWhole(ProcessCluster cluster) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_WITHIN.toNanos();
    while (cluster.status().stream().anyMatch(each -> each.state() != NodeStatus.State.SERVING)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the cluster is not whole: " + cluster.status());
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
