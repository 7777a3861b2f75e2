package org.ecstore.server.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.ecstore.server.LocalCluster;

/** What {@code ecstore measure} runs. */
public final class Measurements {
  private static final int NODES = 3;

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
  public Report commits(
      Map<String, LocalCluster.LedgerOpening> ledgers,
      List<Integer> clients,
      int rounds,
      Duration each)
      throws IOException, InterruptedException {
    Report report =
        new Report(
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
        subjects.put(ledger.getKey(), Subject.start(home, NODES, ledger.getValue()));
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
  public Report recovery(Map<String, LocalCluster.LedgerOpening> ledgers, List<Long> lengths)
      throws IOException, InterruptedException {
    Report report =
        new Report(
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

  /** Take-over: how long writes wait when the sequencer's process is killed. */
  public Report takeOver(int nodes, int kills) throws IOException, InterruptedException {
    Report report =
        new Report(
            List.of(
                "kill", "sequencer", "successor", "writesResumedMillis", "longestReadGapMillis"));
    List<Long> took = new ArrayList<>();
    for (TakeOverMeasurement.Row row :
        new TakeOverMeasurement(directory, nodes, kills, step).run()) {
      report.row(
          List.of(
              row.kill(),
              row.sequencer(),
              row.successor(),
              row.writesResumed(),
              row.longestReadGap()));
      took.add(row.writesResumed());
    }
    Collections.sort(took);
    report.summary("minMillis", took.getFirst());
    report.summary("medianMillis", rank(took, 50));
    report.summary("p90Millis", rank(took, 90));
    report.summary("maxMillis", took.getLast());
    return report;
  }

  /** The least that so many percent do not exceed. */
  private static long rank(List<Long> sorted, int percent) {
    return sorted.get(Math.max(0, Math.ceilDiv(sorted.size() * percent, 100) - 1));
  }
}
