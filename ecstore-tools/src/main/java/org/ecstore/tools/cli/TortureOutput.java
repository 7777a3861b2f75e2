package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.ecstore.model.Isolation;
import org.ecstore.tools.torture.Start;
import org.ecstore.tools.torture.TortureReport;
import org.ecstore.tools.torture.TortureSettings;
import org.ecstore.verify.check.Anomaly;
import org.ecstore.verify.check.Report;
import org.ecstore.verify.history.History;

/** What {@code ecstore torture} prints of a run, or of a history that it has checked. */
final class TortureOutput {
  /** A history that was checked, against which promise, and what came of it. */
  record Checked(Path file, History history, Isolation isolation, Start start, Report report) {
    long ok() {
      return history.attempts().stream().filter(attempt -> attempt.isOk()).count();
    }
  }

  private TortureOutput() {}

  /** A check, for programs. */
  static ObjectNode json(Checked checked) {
    Report report = checked.report();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("history", checked.file().toString())
            .put("workload", lower(checked.history().kind()))
            .put("isolation", lower(checked.isolation()))
            .put("start", lower(checked.start()))
            .put("transactions", checked.history().attempts().size())
            .put("ok", checked.ok());
    return withVerdict(node, report.anomalies(), report.undecided(), report.verdict());
  }

  /** A check, for people. */
  static void print(PrintWriter out, Checked checked) {
    Report report = checked.report();
    line(
        out,
        "history",
        "%s: %,d transactions, %,d committed",
        checked.file(),
        checked.history().attempts().size(),
        checked.ok());
    print(out, report.anomalies(), report.undecided());
    line(out, "verdict", "%s", lower(report.verdict()));
  }

  /** A run, for programs. */
  static ObjectNode json(TortureReport report) {
    TortureSettings settings = report.settings();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("nodes", settings.nodes())
            .put("copies", settings.replication().copiesOf(settings.nodes()))
            .put("seconds", settings.time().toSeconds())
            .put("clients", settings.clients())
            .put("workload", lower(settings.workload()))
            .put("isolation", lower(settings.isolation()))
            .put("start", settings.start().word())
            .put("seed", settings.seed())
            .put("ok", report.ok())
            .put("fail", report.fail())
            .put("info", report.info());
    ObjectNode errors = node.putObject("errors");
    report.errors().forEach(errors::put);
    ObjectNode answered = node.putObject("readsAnsweredBy");
    report.answered().forEach((role, count) -> answered.put(lower(role), count));
    node.putObject("quorums")
        .put("writes", report.quorums().writes())
        .put("underReplicated", report.quorums().underReplicated())
        .put("reads", report.quorums().reads())
        .put("unconfirmed", report.quorums().unconfirmed());
    node.putObject("counters")
        .put("adds", report.counters().adds())
        .put("unknown", report.counters().unknown())
        .put("reads", report.counters().reads());
    node.putObject("changes")
        .put("applied", report.changes().applied())
        .put("opened", report.changes().opened());
    node.put("framesOfAttackers", report.attacks());
    node.put("okPerSecond", Math.round(10 * rate(report)) / 10.0)
        .put("p50Millis", millis(report, 50))
        .put("p99Millis", millis(report, 99))
        .put("kills", report.faulted().kills())
        .put("sequencerKills", report.faulted().sequencerKills())
        .put("stops", report.faulted().stops())
        .put("restarts", report.faulted().restarts())
        .put("joins", report.faulted().joins())
        .put("databaseKills", report.faulted().databaseKills())
        .put("databaseStops", report.faulted().databaseStops());
    ObjectNode adminRequests = node.putObject("requests");
    report
        .adminRequests()
        .forEach(
            (kind, count) ->
                adminRequests
                    .putObject(kind.word())
                    .put("asked", count.asked())
                    .put("done", count.done())
                    .put("refused", count.refused())
                    .put("putOff", count.putOff())
                    .put("unheard", count.unheard()));
    ArrayNode takeovers = node.putArray("takeoverMillis");
    report.takeoverMillis().forEach(takeovers::add);
    node.put("falseTakeovers", report.falseTakeovers());
    node.put("longestPauseMillis", report.longestPauseMillis());
    node.put("history", settings.history().toString());
    return withVerdict(node, report.anomalies(), report.undecided(), report.verdict());
  }

  private static ObjectNode withVerdict(
      ObjectNode node, List<Anomaly> anomalies, List<String> undecided, Report.Verdict verdict) {
    ArrayNode found = node.putArray("anomalies");
    anomalies.forEach(
        anomaly -> found.addObject().put("kind", anomaly.kind()).put("text", anomaly.text()));
    ArrayNode open = node.putArray("undecided");
    undecided.forEach(open::add);
    return node.put("verdict", lower(verdict));
  }

  private static double rate(TortureReport report) {
    return report.ok() / (double) report.settings().time().toSeconds();
  }

  private static double millis(TortureReport report, double percentile) {
    return report.micros().getValueAtPercentile(percentile) / 1e3;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** A run, for people. */
  static void print(PrintWriter out, TortureReport report) {
    TortureSettings settings = report.settings();
    line(
        out,
        "run",
        "%d nodes, %d copies, %d clients, %s, %s, %s, seed %d, %d s",
        settings.nodes(),
        settings.replication().copiesOf(settings.nodes()),
        settings.clients(),
        lower(settings.workload()),
        lower(settings.isolation()),
        settings.start().word(),
        settings.seed(),
        settings.time().toSeconds());
    line(
        out,
        "committed",
        "%,d (%,.0f a second), half within %.1f ms, 99%% within %.1f ms",
        report.ok(),
        rate(report),
        millis(report, 50),
        millis(report, 99));
    line(
        out,
        "others",
        "%,d did nothing, %,d of unknown outcome: %s",
        report.fail(),
        report.info(),
        errors(report.errors()));
    line(
        out,
        "reads",
        "of snapshots answered by: %s",
        report.answered().entrySet().stream()
            .map(one -> lower(one.getKey()) + " " + one.getValue())
            .collect(Collectors.joining(", ")));
    line(
        out,
        "quorums",
        "%,d writes, %,d of them under-replicated at first; %,d reads, %,d of them unconfirmed",
        report.quorums().writes(),
        report.quorums().underReplicated(),
        report.quorums().reads(),
        report.quorums().unconfirmed());
    line(
        out,
        "counters",
        "%,d additions, %,d more of unknown outcome; %,d reads of all",
        report.counters().adds(),
        report.counters().unknown(),
        report.counters().reads());
    line(
        out,
        "changes",
        "%,d commits followed, by %,d readers under one name",
        report.changes().applied(),
        report.changes().opened());
    if (!settings.intruders().isEmpty()) {
      line(out, "attackers", "%,d frames", report.attacks());
    }
    line(
        out,
        "faults",
        "%d kills, %d of the sequencer; %d stops, %d restarts, %d joins",
        report.faulted().kills(),
        report.faulted().sequencerKills(),
        report.faulted().stops(),
        report.faulted().restarts(),
        report.faulted().joins());
    if (settings.mix().isPresent()) {
      line(
          out,
          "databases",
          "%d of their servers killed, %d frozen",
          report.faulted().databaseKills(),
          report.faulted().databaseStops());
    }
    report
        .adminRequests()
        .forEach(
            (kind, count) ->
                line(
                    out,
                    kind.word(),
                    "%d asked for: %d done, %d refused, %d put off, %d unheard",
                    count.asked(),
                    count.done(),
                    count.refused(),
                    count.putOff(),
                    count.unheard()));
    List<Long> sorted = report.takeoverMillis().stream().sorted().toList();
    if (!sorted.isEmpty()) {
      line(
          out,
          "take-over",
          "writes resumed after least %,d, median %,d, 90%% within %,d, most %,d ms",
          sorted.getFirst(),
          sorted.get((sorted.size() - 1) / 2),
          sorted.get((int) Math.ceil(sorted.size() * 0.9) - 1),
          sorted.getLast());
    }
    line(
        out,
        "in vain",
        "%,d times another was to lead in place of one that lived",
        report.falseTakeovers());
    line(out, "pause", "%,d ms at most for one of a few keys", report.longestPauseMillis());
    print(out, report.anomalies(), report.undecided());
    line(out, "verdict", "%s", lower(report.verdict()));
  }

  private static String errors(Map<String, Long> errors) {
    return errors.isEmpty()
        ? "none"
        : errors.entrySet().stream()
            .map(error -> error.getKey() + " " + error.getValue())
            .collect(Collectors.joining(", "));
  }

  private static void print(PrintWriter out, List<Anomaly> anomalies, List<String> undecided) {
    anomalies.forEach(anomaly -> line(out, "ANOMALY", "%s", anomaly));
    undecided.forEach(text -> line(out, "undecided", "%s", text));
  }

  private static void line(PrintWriter out, String head, String format, Object... values) {
    out.printf(Locale.ROOT, "%-11s ", head);
    out.printf(Locale.ROOT, format + "%n", values);
  }
}
