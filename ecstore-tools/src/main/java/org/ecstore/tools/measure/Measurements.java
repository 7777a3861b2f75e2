package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.server.LocalCluster;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.measure.FailOverMeasurement.Victim;
import org.ecstore.tools.measure.TakeOverMeasurement.Fault;

/** What {@code ecstore measure} runs. */
public final class Measurements {
  /** Of a cluster that commits are measured on. */
  public static final int NODES = 3;

  private final Path directory;
  private final LongConsumer step;

  /**
   * In a directory, telling of each step done.
   *
   * @param directory for the clusters, empty
   */
  public Measurements(Path directory, LongConsumer step) {
    this.directory = directory;
    this.step = step;
  }

  /** Commits: latency and throughput against the number of clients. */
  public MeasurementReport commits(
      Map<String, LocalCluster.LedgerOpening> ledgers,
      int copies,
      List<Integer> clients,
      int rounds,
      Duration each)
      throws IOException, InterruptedException {
    MeasurementReport report =
        new MeasurementReport(
            List.of(
                "ledger",
                "clients",
                "round",
                "commitsPerSecond",
                "p50Micros",
                "p99Micros",
                "recordsPerEntry",
                "conflicts"));
    Map<String, Subject> subjects = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, LocalCluster.LedgerOpening> ledger : ledgers.entrySet()) {
        Path home = Files.createDirectories(directory.resolve("commits-" + ledger.getKey()));
        subjects.put(ledger.getKey(), Subject.start(home, NODES, copies, ledger.getValue()));
      }
      for (CommitMeasurement.Row row :
          new CommitMeasurement(subjects, clients, rounds, each, step).run()) {
        report.row(
            List.of(
                row.ledger(),
                row.clients(),
                row.round(),
                row.load().perSecond(),
                row.load().p50Micros(),
                row.load().p99Micros(),
                row.batches().mean(),
                row.load().conflicts()));
      }
    } finally {
      for (Subject subject : subjects.values()) {
        subject.close();
      }
    }
    return report;
  }

  /** Recovery: its time against the length of the ledger. */
  public MeasurementReport recovery(
      Map<String, LocalCluster.LedgerOpening> ledgers, List<Long> lengths)
      throws IOException, InterruptedException {
    MeasurementReport report =
        new MeasurementReport(
            List.of("ledger", "records", "takeOverMillis", "nodeBackMillis", "reopenMillis"));
    for (Map.Entry<String, LocalCluster.LedgerOpening> ledger : ledgers.entrySet()) {
      for (RecoveryMeasurement.Row row :
          new RecoveryMeasurement(directory, ledger.getKey(), ledger.getValue(), lengths, step)
              .run()) {
        report.row(
            List.of(
                row.ledger(),
                row.records(),
                row.takeOverMillis(),
                row.nodeBackMillis(),
                row.reopenMillis()));
      }
    }
    return report;
  }

  /**
   * Take-over: how long writes wait when the sequencer's process is killed, and when it is frozen.
   */
  public MeasurementReport takeOver(
      int nodes, ReplicationSettings replication, int kills, int freezes)
      throws IOException, InterruptedException {
    MeasurementReport report =
        new MeasurementReport(
            List.of(
                "round",
                "fault",
                "sequencer",
                "successor",
                "writesResumedMillis",
                "longestReadGapMillis"));
    Map<Fault, List<Long>> took = new EnumMap<>(Fault.class);
    List<Fault> faults = TakeOverMeasurement.inTurns(kills, freezes);
    for (TakeOverMeasurement.Row row :
        new TakeOverMeasurement(directory, nodes, replication, faults, step).run()) {
      report.row(
          List.of(
              row.round(),
              TakeOverMeasurement.words(row.fault()),
              row.sequencer(),
              row.successor(),
              row.writesResumed(),
              row.longestReadGap()));
      took.computeIfAbsent(row.fault(), _ -> new ArrayList<>()).add(row.writesResumed());
    }
    took.forEach((fault, each) -> summarise(report, TakeOverMeasurement.words(fault) + "_", each));
    return report;
  }

  /**
   * Fail-over: how long writes to a node's ranges wait when its process is killed, another
   * primary's and the sequencer's in turn.
   */
  public MeasurementReport failOver(int nodes, ReplicationSettings replication, int kills)
      throws IOException, InterruptedException {
    return failOver(
        new FailOverMeasurement(
                directory, nodes, replication, kills, List.of(Victim.values()), step)
            .run());
  }

  static MeasurementReport failOver(List<FailOverMeasurement.Row> rows) {
    MeasurementReport report =
        new MeasurementReport(
            List.of(
                "kill",
                "who",
                "node",
                "ranges",
                "firstResumedMillis",
                "allResumedMillis",
                "followsAgainMillis"));
    Map<Victim, List<Long>> took = new EnumMap<>(Victim.class);
    List<Long> all = new ArrayList<>();
    for (FailOverMeasurement.Row row : rows) {
      report.row(
          List.of(
              row.kill(),
              row.who().name().toLowerCase(Locale.ROOT),
              row.victim(),
              row.ranges(),
              row.firstResumed(),
              row.allResumed(),
              row.following()));
      row.allResumed()
          .ifPresent(
              millis -> {
                took.computeIfAbsent(row.who(), _ -> new ArrayList<>()).add(millis);
                all.add(millis);
              });
    }
    summarise(report, "", all);
    took.forEach((who, each) -> summarise(report, who.name().toLowerCase(Locale.ROOT) + "_", each));
    return report;
  }

  /** Restart: how long writes wait when every process was killed and all are started again. */
  public MeasurementReport restart(int nodes, ReplicationSettings replication, int kills)
      throws IOException, InterruptedException {
    MeasurementReport report =
        new MeasurementReport(
            List.of("round", "firstWriteMillis", "everyKeyWrittenMillis", "allServeMillis"));
    List<Long> took = new ArrayList<>();
    for (RestartMeasurement.Row row :
        new RestartMeasurement(directory, nodes, replication, kills, step).run()) {
      report.row(List.of(row.round(), row.firstWrite(), row.lastKeysWrite(), row.allServe()));
      took.add(row.lastKeysWrite());
    }
    summarise(report, "", took);
    return report;
  }

  /**
   * Replay: how long a node that is started again reads the ledger from what it has folded.
   *
   * @param records that it lacks
   * @param loaded whether clients go on meanwhile
   */
  public MeasurementReport replay(
      int nodes,
      ReplicationSettings replication,
      long records,
      int clients,
      boolean loaded,
      int rounds)
      throws IOException, InterruptedException {
    MeasurementReport report =
        new MeasurementReport(
            List.of(
                "round",
                "node",
                "records",
                "startMillis",
                "replayMillis",
                "waitMillis",
                "parts",
                "ledgerMillis",
                "decodeMillis",
                "windowMillis"));
    List<Long> took = new ArrayList<>();
    ReplayMeasurement.Settings settings =
        new ReplayMeasurement.Settings(nodes, replication, records, clients, loaded, rounds);
    for (ReplayMeasurement.Row row : new ReplayMeasurement(directory, settings, step).run()) {
      report.row(
          List.of(
              row.round(),
              row.node(),
              row.records(),
              row.startMillis(),
              row.replayMillis(),
              row.waitMillis(),
              row.parts(),
              row.ledgerMillis(),
              row.decodeMillis(),
              row.windowMillis()));
      took.add(row.replayMillis());
    }
    summarise(report, "replay_", took);
    return report;
  }

  /** What a node of a run of liveness has to bear. */
  public enum LivenessFault {
    /** Its process is frozen by SIGSTOP. */
    FREEZE_NODE,
    /** The database server below it is frozen by SIGSTOP, and the node lives. */
    STOP_DATABASE,
    /** That server is ended by SIGKILL, and the node lives. */
    KILL_DATABASE
  }

  /**
   * What a run of liveness is of.
   *
   * @param nodes in all
   * @param mix of engines that they have; absent if all have the usual one
   * @param seconds for which the fault lasts
   * @param longFailure after which the copies of the node are given up, and the ledger is trimmed
   *     again
   */
  public record LivenessSettings(
      int nodes,
      Optional<EngineMix> mix,
      ReplicationSettings replication,
      int clients,
      int seconds,
      Duration longFailure,
      LivenessFault fault) {}

  /**
   * Liveness: whether a cluster goes on while a snapshot is held and a member is frozen, or has no
   * database server.
   *
   * @param kept is told whether it did
   */
  public MeasurementReport liveness(LivenessSettings settings, Consumer<Boolean> kept)
      throws IOException, InterruptedException {
    LivenessMeasurement.Outcome outcome = new LivenessMeasurement(directory, settings, step).run();
    kept.accept(outcome.isKept());
    return liveness(outcome);
  }

  static MeasurementReport liveness(LivenessMeasurement.Outcome outcome) {
    MeasurementReport report =
        new MeasurementReport(
            List.of(
                "seconds",
                "commits",
                "commitsPerSecond",
                "trimmed",
                "durable",
                "windowBytes",
                "foldLag",
                "heapBytes"));
    for (LivenessSample sample : outcome.samples()) {
      report.row(
          List.of(
              sample.seconds(),
              sample.commits(),
              sample.perSecond(),
              sample.trimmed(),
              sample.durable(),
              sample.windowBytes(),
              sample.foldLag(),
              sample.heapBytes()));
    }
    LivenessVerdict verdict = outcome.verdict();
    report.summary(
        outcome.database().isPresent() ? "databaseOfNode" : "frozenNode", outcome.node());
    report.summary("windowBytesMax", outcome.windowBytesMax());
    report.summary("longestLeaseSeconds", outcome.longestLease().toSeconds());
    report.summary("leaseMinSeconds", verdict.leaseMin().toMillis() / 1e3);
    report.summary("leasesTooOld", outcome.leasesTooOld());
    report.summary("leaseFailures", outcome.leaseFailures());
    report.summary("clientFailures", outcome.failures());
    report.summary("ledgerKeptBefore", Math.round(verdict.keptBefore()));
    report.summary("ledgerKept", Math.round(verdict.kept()));
    report.summary("heapRisePercent", verdict.heapRise());
    report.summary("heapPercentAMinute", verdict.heapSlope());
    report.summary("windowPercentAMinute", verdict.windowSlope());
    outcome.database().ifPresent(seen -> times(report, seen));
    report.summary("leaseHeld", verdict.leaseHeld());
    report.summary("commitsGoOn", verdict.commitsGoOn());
    report.summary("trimMovesOn", verdict.trimMovesOn());
    report.summary("memoryFlat", verdict.memoryFlat());
    outcome
        .database()
        .ifPresent(
            seen -> {
              report.summary("takenOver", seen.takenOver().isPresent());
              report.summary("wholeAgain", seen.whole().isPresent());
            });
    return report;
  }

  private static void times(MeasurementReport report, DatabaseFault.Seen seen) {
    report.summary("rangesOfNode", seen.ranges());
    seconds(report, "takenOverSeconds", seen.takenOver());
    seconds(report, "copiesGivenUpSeconds", seen.givenUp());
    seconds(report, "wholeAgainSeconds", seen.whole());
    seen.whole().ifPresent(_ -> report.summary("copiesOfNode", seen.copies()));
  }

  /** Nothing of what did not come. */
  private static void seconds(MeasurementReport report, String name, Optional<Duration> after) {
    after.ifPresent(time -> report.summary(name, time.toMillis() / 1e3));
  }

  /** How many steps a liveness run tells of. */
  public static int livenessSteps(int seconds) {
    return LivenessMeasurement.samples(seconds);
  }

  /** Nothing of what was never measured. */
  private static void summarise(MeasurementReport report, String prefix, List<Long> took) {
    if (took.isEmpty()) {
      return;
    }
    Collections.sort(took);
    report.summary(prefix + "minMillis", took.getFirst());
    report.summary(prefix + "medianMillis", rank(took, 50));
    report.summary(prefix + "p90Millis", rank(took, 90));
    report.summary(prefix + "maxMillis", took.getLast());
  }

  /** The least that so many percent do not exceed. */
  private static long rank(List<Long> sorted, int percent) {
    return sorted.get(Math.max(0, Math.ceilDiv(sorted.size() * percent, 100) - 1));
  }
}
