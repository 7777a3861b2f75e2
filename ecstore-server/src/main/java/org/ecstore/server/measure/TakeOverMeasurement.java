package org.ecstore.server.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ReplicationSettings;
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
  private static final Duration RESUME_WITHIN = Duration.ofMinutes(1);
  private static final long CALM_MILLIS = 3_000;
  private static final int PROBES = 16;
  private static final Probes.Pace PACE = new Probes.Pace(50, System::nanoTime);

  /** Times in milliseconds. */
  record Row(int kill, int sequencer, int successor, long writesResumed, long longestReadGap) {}

  private final Path directory;
  private final int nodes;
  private final ReplicationSettings replication;
  private final int kills;
  private final LongConsumer step;

  TakeOverMeasurement(
      Path directory, int nodes, ReplicationSettings replication, int kills, LongConsumer step) {
    this.directory = directory;
    this.nodes = nodes;
    this.replication = replication;
    this.kills = kills;
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Tuple> keys = MeasuredCluster.keys(PROBES);
    List<Row> rows = new ArrayList<>();
    try (MeasuredCluster cluster = MeasuredCluster.start(directory, nodes, replication);
        EcStore store = EcStore.connect(cluster.processes().addresses(), EcStoreOptions.DEFAULT);
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

  private Row measure(MeasuredCluster cluster, int kill, Probes writes, Probes reads)
      throws IOException, InterruptedException {
    int sequencer = cluster.awaitSequencer();
    long at = System.nanoTime();
    writes.forget(at);
    reads.forget(at);
    cluster.processes().kill(sequencer);
    long gone = System.nanoTime();
    OptionalLong resumed = writes.firstBegunAfter(gone);
    while (resumed.isEmpty()) {
      if (System.nanoTime() - gone > RESUME_WITHIN.toNanos()) {
        throw new IOException(
            "no write for %d s after node %d, the sequencer, was killed"
                .formatted(RESUME_WITHIN.toSeconds(), sequencer));
      }
      Thread.sleep(MeasuredCluster.LOOK_MILLIS);
      resumed = writes.firstBegunAfter(gone);
    }
    // Readers of the ranges that are away show in a gap only when they are back.
    long gap = reads.longestGapMillis(at, resumed.getAsLong());
    int successor = cluster.awaitSequencer();
    long took = TimeUnit.NANOSECONDS.toMillis(resumed.getAsLong() - at);
    LOG.info("writes go on {} ms after the kill of {}, by {}", took, sequencer, successor);
    cluster.processes().start(sequencer);
    cluster.awaitServing();
    return new Row(kill, sequencer, successor, took, gap);
  }
}
