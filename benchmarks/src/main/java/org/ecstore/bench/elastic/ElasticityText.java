package org.ecstore.bench.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ecstore.bench.elastic.ElasticityOutcome.Change;
import org.ecstore.bench.elastic.ElasticityOutcome.Phase;
import org.ecstore.bench.load.AnswerLog.Had;
import org.ecstore.server.print.Columns;

/** What came of a run, as lines for people. */
public final class ElasticityText {
  private static final String NONE = "-";
  private static final double MEGA = 1e6;
  private static final double PERCENT = 100;

  private ElasticityText() {}

  /** All of it. */
  public static List<String> lines(ElasticityOutcome outcome) {
    List<String> lines = new ArrayList<>();
    ElasticitySettings settings = outcome.settings();
    lines.add(
        "%d nodes%s on %d processors, %d copies, %,d records of %,d bytes (%s MB), %s; %s/s%s"
            .formatted(
                settings.machines().nodes(),
                settings
                    .machines()
                    .nodeClass()
                    .capacity()
                    .map(each -> " of %s processors".formatted(each.toPlainString()))
                    .orElse(" without a capacity"),
                settings.processors(),
                settings.machines().copies(),
                settings.store().records(),
                settings.store().recordBytes(),
                number(settings.store().bytes() / MEGA),
                settings.store().workload().name(),
                number(outcome.rate()),
                outcome.saturation().isPresent()
                    ? " of %s/s at most".formatted(number(outcome.saturation().getAsDouble()))
                    : ""));
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "phase",
          "s",
          "requests",
          "done",
          "p50 ms",
          "p99 ms",
          "times",
          "failed",
          "longest pause",
          "cores busy",
          "balanced after",
          "moved"
        });
    outcome.phases().forEach(phase -> rows.add(row(outcome, phase)));
    lines.addAll(Columns.align(rows));
    if (!outcome.errors().isEmpty()) {
      lines.add("failures: " + outcome.errors());
    }
    for (ElasticGoal goal : outcome.goals()) {
      lines.add("%s: %s (%s)".formatted(goal.is().words(), goal.goal(), goal.found()));
    }
    outcome.remarks().forEach(line -> lines.add("  " + line));
    lines.add("  cores busy: of the machine's processors, by nodes and clients together");
    lines.add(
        "  moved: copies that nodes got, each as large as a range of its home is on average; no"
            + " node counts them");
    return lines;
  }

  private static String[] row(ElasticityOutcome outcome, Phase phase) {
    Had had = phase.had();
    return new String[] {
      phase.name(),
      Integer.toString(had.seconds()),
      Long.toString(had.due()),
      number(had.perSecond()) + "/s",
      number(had.p50Millis()),
      number(had.p99Millis()),
      number(outcome.times(phase)),
      Long.toString(had.failed()),
      number(had.longestPauseSeconds()) + " s",
      "%.0f %%".formatted(PERCENT * outcome.busy(phase)),
      phase
          .change()
          .map(change -> change.took().isPresent() ? number(change.took()) + " s" : "NOT IN TIME")
          .orElse(NONE),
      phase.change().map(ElasticityText::moved).orElse(NONE)
    };
  }

  private static String moved(Change change) {
    return "%s MB in %d copies".formatted(number(change.bytes() / MEGA), change.copies());
  }

  /** For people, as soon as a phase is over. */
  static String line(Phase phase) {
    return "%s: %s/s, p99 %s ms, %d failed%s"
        .formatted(
            phase.name(),
            number(phase.had().perSecond()),
            number(phase.had().p99Millis()),
            phase.had().failed(),
            phase
                .change()
                .map(
                    change ->
                        change.took().isPresent()
                            ? ", balanced after %s s".formatted(number(change.took()))
                            : ", NOT balanced in time: " + change.lacks())
                .orElse(""));
  }

  private static String number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : NONE;
  }

  /** With three digits, more where there are more before the point. */
  static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
