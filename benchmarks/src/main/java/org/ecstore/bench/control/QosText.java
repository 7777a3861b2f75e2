package org.ecstore.bench.control;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.ecstore.bench.control.ActionLog.Noted;
import org.ecstore.bench.control.LeaderKills.Killed;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.model.control.ControlAction;
import org.ecstore.server.print.Columns;

/** What came of a run, as lines for people. */
public final class QosText {
  /** A time that has no end, as of what was not done. */
  static final String ENDLESS = "endless";

  private static final String NONE = "-";
  private static final double MILLIS = 1e3;
  private static final double PERCENT = 100;

  private QosText() {}

  /**
   * All of it.
   *
   * @param zone of the clock that people have
   */
  public static List<String> lines(QosOutcome outcome, ZoneId zone) {
    List<String> lines = new ArrayList<>();
    outcome.settings().plan().ifPresent(plan -> lines.addAll(plan(plan, outcome)));
    lines.add(head(outcome));
    lines.addAll(phases(outcome));
    DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(zone);
    if (outcome.actions().isEmpty()) {
      lines.add("no action");
    }
    for (Noted action : outcome.actions()) {
      lines.add(clock.format(Instant.ofEpochMilli(action.atMillis())) + " " + of(action.action()));
    }
    for (Killed kill : outcome.kills()) {
      lines.add(
          "%s node %d, which led, was killed%s"
              .formatted(
                  clock.format(Instant.ofEpochMilli(kill.atMillis())),
                  kill.node(),
                  kill.trouble().map(why -> ": " + why).orElse("")));
    }
    outcome.remarks().forEach(line -> lines.add("  " + line));
    outcome.faults().forEach(line -> lines.add("NOT AS IT SHALL BE: " + line));
    return lines;
  }

  private static String head(QosOutcome outcome) {
    QosRunSettings settings = outcome.settings();
    String capacity =
        settings
            .machines()
            .nodeClass()
            .capacity()
            .map(each -> " of " + each.toPlainString() + " processors")
            .orElse("");
    return "%d nodes%s%s, %d at most; shop: %s %s ms for %s"
        .formatted(
            settings.machines().nodes(),
            capacity,
            outcome.keeper().isEmpty() ? "" : ", kept by the " + outcome.keeper(),
            settings.machines().nodesMax(),
            settings.statistic().word(),
            number(settings.targetMillis()),
            settings.promisedWords(outcome.start().rate()));
  }

  /** The plan, what was measured of it, and what it foretells of the doubled phase. */
  private static List<String> plan(RunPlan plan, QosOutcome outcome) {
    List<String> lines = new ArrayList<>(plan.lines());
    lines.add(
        outcome
            .tried()
            .map(
                tried ->
                    "  measured in %s: %s ms, off by %.1f %%, %s the interval; target %s"
                        .formatted(
                            QosPhase.CALM,
                            number(tried.millis()),
                            PERCENT * tried.millisError(),
                            tried.isMillisWithin() ? "within" : "NOT within",
                            tried.isKept() ? "kept" : "NOT KEPT"))
            .orElse("  nothing was answered in " + QosPhase.CALM));
    lines.add("  " + plan.doubledWords(outcome.settings().machines().nodesMax()));
    return lines;
  }

  private static List<String> phases(QosOutcome outcome) {
    QosRunSettings settings = outcome.settings();
    boolean hasMean = settings.plan().isPresent();
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "phase",
          "of",
          "due",
          "done",
          hasMean ? "mean ms" : "p50 ms",
          "p99 ms",
          "at its end",
          "kept",
          "nodes",
          "refused",
          "failed"
        });
    for (PhaseResult phase : outcome.phases()) {
      rows.add(
          row(
              phase,
              QosRunSettings.SHOP,
              phase.phase().load().words(),
              phase.shop(),
              new String[] {
                millis(phase.endMillis(settings.statistic())),
                phase.isKept() ? "yes" : "NO",
                count(phase.places())
              },
              hasMean));
      phase
          .reports()
          .ifPresent(
              figures ->
                  rows.add(
                      row(
                          phase,
                          QosRunSettings.REPORTS,
                          phase.phase().floodClients() + " clients",
                          figures,
                          new String[] {NONE, NONE, NONE},
                          hasMean)));
    }
    return Columns.align(rows);
  }

  private static String[] row(
      PhaseResult phase,
      String application,
      String due,
      Figures figures,
      String[] atEnd,
      boolean hasMean) {
    return new String[] {
      phase.phase().name(),
      application,
      due,
      number(figures.perSecond()) + "/s",
      number(hasMean ? figures.meanMillis() : figures.p50Millis()),
      number(figures.p99Millis()),
      atEnd[0],
      atEnd[1],
      atEnd[2],
      Long.toString(figures.refused()),
      Long.toString(figures.failed() + figures.undone())
    };
  }

  /** {@code add n4: shop violated in 4 of 6 checks...; predicted 31 ms; measured 28 ms}. */
  static String of(ControlAction action) {
    List<String> parts = new ArrayList<>();
    parts.add(action.what() + ": " + action.why());
    if (action.predictedMicros() > 0) {
      parts.add("predicted " + number(action.predictedMicros() / MILLIS) + " ms");
    }
    if (action.afterMicros() > 0) {
      parts.add("measured " + number(action.afterMicros() / MILLIS) + " ms");
    }
    if (!action.stage().isOver() || action.afterMicros() == 0) {
      parts.add(action.stage().words() + (action.detail().isEmpty() ? "" : ", " + action.detail()));
    }
    return String.join("; ", parts);
  }

  /** As {@link #number}, or a dash. */
  static String millis(OptionalDouble millis) {
    return millis.isPresent() ? number(millis.getAsDouble()) : NONE;
  }

  private static String count(OptionalInt count) {
    return count.isPresent() ? Integer.toString(count.getAsInt()) : NONE;
  }

  /** With three digits, more where there are more before the point. */
  static String number(double value) {
    if (Double.isInfinite(value)) {
      return ENDLESS;
    }
    return value >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
