package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long clients wait when the sequencer is killed or frozen: a cluster of processes, whose
 * sequencer gets SIGKILL or SIGSTOP again and again, in turns as long as both are wanted. Each time
 * it is started again or goes on, and all nodes serve, before the next. Writers of single keys,
 * spread over all ranges, see when writes go on; readers of snapshots that may be a little old, on
 * ranges of nodes that live, see whether reads went on meanwhile.
 */
final class TakeOverMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOverMeasurement.class);
  private static final Duration RESUME_WITHIN = Duration.ofMinutes(1);
  private static final long CALM_MILLIS = 3_000;
  private static final int PROBES = 16;
  private static final Probes.Pace PACE = new Probes.Pace(50, System::nanoTime);

  /** What happens to the sequencer's process. */
  enum Fault {
    /** SIGKILL: its sockets are closed at once. */
    KILL,
    /** SIGSTOP: its sockets stay open, and nothing is heard of it. */
    FREEZE;

    void strike(ProcessCluster processes, int node) throws IOException, InterruptedException {
      switch (this) {
        case KILL -> processes.kill(node);
        case FREEZE -> processes.pause(node);
      }
    }

    void undo(ProcessCluster processes, int node) throws IOException, InterruptedException {
      switch (this) {
        case KILL -> processes.start(node);
        case FREEZE -> processes.resume(node);
      }
    }
  }

  /** Times in milliseconds. */
  record Row(
      int round,
      Fault fault,
      int sequencer,
      int successor,
      long writesResumed,
      long longestReadGap) {}

  private final List<Tuple> keys = MeasuredCluster.keys(PROBES);
  private final Path directory;
  private final int nodes;
  private final ReplicationSettings replication;
  private final List<Fault> faults;
  private final LongConsumer step;

  TakeOverMeasurement(
      Path directory,
      int nodes,
      ReplicationSettings replication,
      List<Fault> faults,
      LongConsumer step) {
    this.directory = directory;
    this.nodes = nodes;
    this.replication = replication;
    this.faults = List.copyOf(faults);
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (MeasuredCluster cluster = MeasuredCluster.start(directory, nodes, replication);
        EcStore store = EcStore.connect(cluster.processes().addresses(), EcStoreOptions.DEFAULT);
        Probes writes =
            Probes.writing(store, CommitLoad.TABLE, keys, Bytes.wrap(new byte[100]), PACE);
        Probes reads = Probes.reading(store, CommitLoad.TABLE, keys, PACE)) {
      for (Fault fault : faults) {
        Thread.sleep(CALM_MILLIS);
        rows.add(measure(cluster, rows.size() + 1, fault, writes, reads));
        step.accept(1);
      }
    }
    return rows;
  }

  /** So many of each, in turns. */
  static List<Fault> inTurns(int kills, int freezes) {
    List<Fault> faults = new ArrayList<>();
    for (int round = 0; round < Math.max(kills, freezes); round++) {
      if (round < kills) {
        faults.add(Fault.KILL);
      }
      if (round < freezes) {
        faults.add(Fault.FREEZE);
      }
    }
    return faults;
  }

  static String words(Fault fault) {
    return fault.name().toLowerCase(Locale.ROOT);
  }

  /** The probes whose ranges other nodes serve than one. */
  private List<Integer> onOthers(MeasuredCluster cluster, int node) throws IOException {
    ProcessCluster processes = cluster.processes();
    List<Route> ranges =
        processes
            .map(processes.status())
            .map(StatusReport::ranges)
            .orElseThrow(() -> new IOException("no node says which ranges there are"))
            .stream()
            .filter(range -> range.primary().value() != node)
            .toList();
    Bytes table = CommitLoad.TABLE.keys().start();
    return IntStream.range(0, PROBES)
        .filter(
            probe ->
                ranges.stream()
                    .anyMatch(range -> range.keys().contains(keys.get(probe).encode(table))))
        .boxed()
        .toList();
  }

  private Row measure(MeasuredCluster cluster, int round, Fault fault, Probes writes, Probes reads)
      throws IOException, InterruptedException {
    int sequencer = cluster.awaitSequencer();
    List<Integer> onOthers = onOthers(cluster, sequencer);
    long at = System.nanoTime();
    writes.forget(at);
    reads.forget(at);
    fault.strike(cluster.processes(), sequencer);
    long gone = System.nanoTime();
    OptionalLong resumed = writes.firstBegunAfter(gone);
    while (resumed.isEmpty()) {
      if (System.nanoTime() - gone > RESUME_WITHIN.toNanos()) {
        throw new IOException(
            "no write for %d s after the %s of node %d, the sequencer"
                .formatted(RESUME_WITHIN.toSeconds(), words(fault), sequencer));
      }
      Thread.sleep(MeasuredCluster.LOOK_MILLIS);
      resumed = writes.firstBegunAfter(gone);
    }
    long gap = reads.longestGapMillis(onOthers, at, resumed.getAsLong());
    int successor = cluster.awaitSequencer();
    long took = TimeUnit.NANOSECONDS.toMillis(resumed.getAsLong() - at);
    LOG.info(
        "writes go on {} ms after the {} of {}, by {}", took, words(fault), sequencer, successor);
    fault.undo(cluster.processes(), sequencer);
    cluster.awaitServing();
    return new Row(round, fault, sequencer, successor, took, gap);
  }
}
