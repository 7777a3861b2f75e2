package org.ecstore.tools.torture;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.ecstore.model.CopyRole;
import org.ecstore.verify.check.Anomaly;
import org.ecstore.verify.check.Report.Verdict;

/**
 * What came of a torture run.
 *
 * @param errors why transactions did not commit, and how many
 * @param micros how long those that committed took
 * @param takeoverMillis after each kill of the sequencer, until a write begun since was
 *     acknowledged
 * @param answered how many snapshots' reads which kind of copy answered
 * @param quorums what was read and written by quorums
 * @param counters what was added to counters, and read of them
 * @param changes what was followed of the clients' commits
 * @param attacks frames that a forger and a glutton have sent meanwhile
 * @param adminRequests what came of what the steward was asked for
 * @param falseTakeovers how often another node was to lead in place of one that lived
 * @param longestPauseMillis the longest time for which one of a few keys could not be written
 * @param anomalies what must not be, the first few of each kind
 * @param undecided why nothing can be said of a part
 */
public record TortureReport(
    TortureSettings settings,
    Duration took,
    long ok,
    long fail,
    long info,
    Map<String, Long> errors,
    Histogram micros,
    Map<CopyRole, Long> answered,
    QuorumClients.Counts quorums,
    CounterClients.Counts counters,
    ChangeFollower.Counts changes,
    long attacks,
    Faulted faulted,
    Map<FaultKind, RequestCount> adminRequests,
    List<Long> takeoverMillis,
    long falseTakeovers,
    long longestPauseMillis,
    List<Anomaly> anomalies,
    List<String> undecided,
    Verdict verdict) {
  /** How often what was done to nodes, and to the database servers under them. */
  public record Faulted(
      long kills,
      long sequencerKills,
      long stops,
      long restarts,
      long joins,
      long databaseKills,
      long databaseStops) {}
}
