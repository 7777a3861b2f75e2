package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Route;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long writes to a node's ranges wait when it is killed: a cluster of processes, one of which
 * gets SIGKILL again and again, each time another primary, or each time the sequencer. It is
 * started again, and the next goes when all ranges have all their copies. Writers of single keys,
 * spread over all ranges, see when writes to the ranges of who is gone go on.
 */
final class FailOverMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(FailOverMeasurement.class);
  private static final Duration RESUME_WITHIN = Duration.ofMinutes(1);
  private static final long CALM_MILLIS = 3_000;
  private static final int PROBES = 32;
  private static final Probes.Pace PACE = new Probes.Pace(50, System::nanoTime);

  /** Who is killed. */
  enum Victim {
    /** A primary that is not the sequencer. */
    PRIMARY,
    /** The sequencer, which is primary too. */
    SEQUENCER
  }

  /**
   * Times in milliseconds from the signal, the last one from the start of the process.
   *
   * @param ranges that the victim served and probes write to
   * @param firstResumed when writes went on to the first of them; empty if there were none
   * @param allResumed when to the last; empty if there were none
   * @param following until the victim, started again, had copies of all of them
   */
  record Row(
      int kill,
      Victim who,
      int victim,
      int ranges,
      OptionalLong firstResumed,
      OptionalLong allResumed,
      long following) {}

  private final Path directory;
  private final int nodes;
  private final ReplicationSettings replication;
  private final int kills;
  private final List<Victim> victims;
  private final LongConsumer step;
  private final List<Tuple> keys = MeasuredCluster.keys(PROBES);

  /**
   * To be run once.
   *
   * @param victims who is killed, in turn
   */
  FailOverMeasurement(
      Path directory,
      int nodes,
      ReplicationSettings replication,
      int kills,
      List<Victim> victims,
      LongConsumer step) {
    this.directory = directory;
    this.nodes = nodes;
    this.replication = replication;
    this.kills = kills;
    this.victims = List.copyOf(victims);
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (MeasuredCluster cluster = MeasuredCluster.start(directory, nodes, replication);
        EcStore store = EcStore.connect(cluster.processes().addresses(), EcStoreOptions.DEFAULT);
        Probes writes =
            Probes.writing(store, CommitLoad.TABLE, keys, Bytes.wrap(new byte[100]), PACE)) {
      for (int kill = 1; kill <= kills; kill++) {
        Victim who = victims.get((kill - 1) % victims.size());
        rows.add(measure(cluster, kill, who, writes));
        step.accept(1);
      }
    }
    return rows;
  }

  private Row measure(MeasuredCluster cluster, int kill, Victim who, Probes writes)
      throws IOException, InterruptedException {
    cluster.awaitCopies();
    Thread.sleep(CALM_MILLIS);
    List<Route> ranges = cluster.awaitCopies();
    int sequencer = cluster.awaitSequencer();
    int victim = who == Victim.SEQUENCER ? sequencer : primary(ranges, sequencer, kill);
    List<Route> lost = ranges.stream().filter(range -> isProbed(range, victim)).toList();
    long at = System.nanoTime();
    writes.forget(at);
    cluster.processes().kill(victim);
    long gone = System.nanoTime();
    List<Long> resumed = new ArrayList<>();
    for (Route range : lost) {
      resumed.add(TimeUnit.NANOSECONDS.toMillis(awaitWrite(range, gone, writes) - at));
    }
    long started = System.nanoTime();
    cluster.processes().start(victim);
    cluster.awaitFollowing(victim, lost);
    long following = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    Row row =
        new Row(
            kill,
            who,
            victim,
            lost.size(),
            resumed.stream().mapToLong(Long::longValue).min(),
            resumed.stream().mapToLong(Long::longValue).max(),
            following);
    LOG.info("{}", row);
    return row;
  }

  /** Another one each time. */
  private int primary(List<Route> ranges, int sequencer, int kill) throws IOException {
    List<Integer> primaries =
        IntStream.rangeClosed(1, nodes)
            .filter(node -> node != sequencer)
            .filter(node -> ranges.stream().anyMatch(range -> isProbed(range, node)))
            .boxed()
            .toList();
    if (primaries.isEmpty()) {
      throw new IOException("no node but the sequencer, " + sequencer + ", has ranges");
    }
    return primaries.get(kill % primaries.size());
  }

  private boolean isProbed(Route range, int primary) {
    return range.primary().value() == primary && !probes(range).isEmpty();
  }

  private List<Integer> probes(Route range) {
    Bytes table = CommitLoad.TABLE.keys().start();
    return IntStream.range(0, PROBES)
        .filter(probe -> range.keys().contains(keys.get(probe).encode(table)))
        .boxed()
        .toList();
  }

  private long awaitWrite(Route range, long gone, Probes writes)
      throws IOException, InterruptedException {
    List<Integer> probes = probes(range);
    Optional<Long> first = first(probes, gone, writes);
    while (first.isEmpty()) {
      if (System.nanoTime() - gone > RESUME_WITHIN.toNanos()) {
        throw new IOException(
            "no write to range %s for %d s after its primary, node %d, was killed"
                .formatted(range.range(), RESUME_WITHIN.toSeconds(), range.primary().value()));
      }
      Thread.sleep(MeasuredCluster.LOOK_MILLIS);
      first = first(probes, gone, writes);
    }
    return first.get();
  }

  private static Optional<Long> first(List<Integer> probes, long gone, Probes writes) {
    return probes.stream()
        .map(probe -> writes.firstBegunAfter(gone, probe))
        .filter(OptionalLong::isPresent)
        .map(OptionalLong::getAsLong)
        .min(Long::compare);
  }
}
