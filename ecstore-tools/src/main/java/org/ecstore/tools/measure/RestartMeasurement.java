package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a cluster of processes is away of which every one was killed: all get SIGKILL, and once
 * none is left all are started. Writers of single keys, spread over all ranges, see when writes go
 * on; between two rounds every node serves.
 */
final class RestartMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(RestartMeasurement.class);
  private static final long CALM_MILLIS = 3_000;
  private static final int PROBES = 16;
  private static final Probes.Pace PACE = new Probes.Pace(50, System::nanoTime);

  /**
   * Times in milliseconds since the command that starts all of them: to the first acknowledgement
   * of a write that began after it, to the first for the last of the keys, and until every node
   * serves.
   */
  record Row(int round, long firstWrite, long lastKeysWrite, long allServe) {}

  private final Path directory;
  private final int nodes;
  private final ReplicationSettings replication;
  private final int rounds;
  private final LongConsumer step;

  RestartMeasurement(
      Path directory, int nodes, ReplicationSettings replication, int rounds, LongConsumer step) {
    this.directory = directory;
    this.nodes = nodes;
    this.replication = replication;
    this.rounds = rounds;
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Tuple> keys = MeasuredCluster.keys(PROBES);
    List<Row> rows = new ArrayList<>();
    try (MeasuredCluster cluster = MeasuredCluster.start(directory, nodes, replication);
        EcStore store = EcStore.connect(cluster.processes().addresses(), EcStoreOptions.DEFAULT);
        Probes writes =
            Probes.writing(store, CommitLoad.TABLE, keys, Bytes.wrap(new byte[100]), PACE)) {
      for (int round = 1; round <= rounds; round++) {
        Thread.sleep(CALM_MILLIS);
        rows.add(measure(cluster, round, writes));
        step.accept(1);
      }
    }
    return rows;
  }

  private Row measure(MeasuredCluster cluster, int round, Probes writes)
      throws IOException, InterruptedException {
    ProcessCluster processes = cluster.processes();
    for (int node : processes.nodes()) {
      processes.kill(node);
    }
    long begun = System.nanoTime();
    writes.forget(begun);
    processes.up(nodes, line -> LOG.debug("{}", line));
    cluster.awaitServing();
    long served = System.nanoTime();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int probe = 0; probe < PROBES; probe++) {
      long at = awaitWrite(writes, begun, probe);
      first = Math.min(first, at);
      last = Math.max(last, at);
    }
    Row row = new Row(round, millis(first - begun), millis(last - begun), millis(served - begun));
    LOG.info(
        "a write after {} ms, of every key after {} ms, all serve after {} ms",
        row.firstWrite(),
        row.lastKeysWrite(),
        row.allServe());
    return row;
  }

  private static long awaitWrite(Probes writes, long begun, int probe)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    OptionalLong at = writes.firstBegunAfter(begun, probe);
    while (at.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("no write of some key for a minute, though every node serves");
      }
      Thread.sleep(MeasuredCluster.LOOK_MILLIS);
      at = writes.firstBegunAfter(begun, probe);
    }
    return at.getAsLong();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
