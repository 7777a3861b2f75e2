package org.ecstore.bench.validate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.server.print.Columns;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.table.GridPoint;

/** What came of a validation, as lines for people. */
public final class ValidationText {
  private static final double HUNDRED = 100;
  private static final double TEN = 10;

  private ValidationText() {}

  /** All of it. */
  public static List<String> lines(ValidationOutcome outcome) {
    List<String> lines = new ArrayList<>();
    lines.add(head(outcome));
    if (!outcome.plans().isEmpty()) {
      lines.addAll(Columns.align(times(outcome)));
      lines.addAll(Columns.align(throughputs(outcome)));
      outcome.plans().forEach(plan -> lines.add(basis(plan)));
    }
    lines.add(errors(outcome));
    lines.add(
        "goal, a median error of response times of at most %s over %d plans or more: %s"
            .formatted(
                ValidationOutcome.percent(ValidationOutcome.ERROR_MAX),
                ValidationOutcome.PLANS_MIN,
                outcome.goal().words()));
    lines.add(
        "target kept by %d of %d"
            .formatted(
                outcome.plans().stream().filter(ValidatedPlan::isKept).count(),
                outcome.plans().size()));
    if (outcome.plans().stream().allMatch(plan -> plan.actions().isEmpty())) {
      lines.add("no action");
    }
    outcome.remarks().forEach(line -> lines.add("  " + line));
    outcome.faults().forEach(line -> lines.add("NOT AS IT SHALL BE: " + line));
    return lines;
  }

  private static String head(ValidationOutcome outcome) {
    ValidationSettings settings = outcome.settings();
    MeasuredSubject subject = settings.source().subject();
    return "%s: %s by seed %d, %s of %s s each, after %s s without being counted%s"
        .formatted(
            settings.source().table().subject().words(),
            counted(settings.plans(), "plan"),
            settings.seed(),
            counted(settings.runs(), "run"),
            plain(subject.seconds()),
            plain(subject.warmUpSeconds()),
            outcome.keeper().isEmpty() ? "" : "; capacity kept by the " + outcome.keeper());
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static String plain(double seconds) {
    return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
  }

  private static List<String[]> times(ValidationOutcome outcome) {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "plan",
          "clients",
          "target ms",
          "nodes",
          "predicted ms",
          "interval",
          "measured",
          "off",
          "within",
          "kept",
          "actions"
        });
    for (ValidatedPlan plan : outcome.plans()) {
      Prediction prediction = plan.drawn().prediction();
      rows.add(
          new String[] {
            Integer.toString(plan.number()),
            Integer.toString(plan.drawn().clients()),
            number(plan.drawn().targetMillis()),
            Integer.toString(plan.drawn().nodes()),
            number(prediction.millis()),
            interval(prediction.millis(), prediction.millisError()),
            number(plan.tried().millis()),
            ValidationOutcome.percent(plan.millisError()),
            plan.tried().isMillisWithin() ? "yes" : "NO",
            plan.isKept() ? "yes" : "NO",
            Integer.toString(plan.actions().size())
          });
    }
    return rows;
  }

  private static List<String[]> throughputs(ValidationOutcome outcome) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"plan", "predicted MB/s", "interval", "measured", "off", "within"});
    for (ValidatedPlan plan : outcome.plans()) {
      Prediction prediction = plan.drawn().prediction();
      rows.add(
          new String[] {
            Integer.toString(plan.number()),
            number(prediction.megabytesPerSecond()),
            interval(prediction.megabytesPerSecond(), prediction.megabytesError()),
            number(plan.tried().megabytesPerSecond()),
            ValidationOutcome.percent(plan.megabytesError()),
            plan.tried().isMegabytesWithin() ? "yes" : "NO"
          });
    }
    return rows;
  }

  private static String basis(ValidatedPlan plan) {
    List<String> cells = new ArrayList<>();
    for (GridPoint cell : plan.drawn().prediction().cells()) {
      cells.add("%d clients on %d".formatted(cell.clients(), cell.servers()));
    }
    return "plan %d by %s"
        .formatted(
            plan.number(),
            cells.isEmpty() ? "the curve through all cells" : String.join(", ", cells));
  }

  private static String errors(ValidationOutcome outcome) {
    return "median error of response times %s, of throughput %s"
        .formatted(
            percent(outcome.medianError(ValidatedPlan::millisError)),
            percent(outcome.medianError(ValidatedPlan::megabytesError)));
  }

  private static String percent(OptionalDouble share) {
    return share.isPresent() ? ValidationOutcome.percent(share.getAsDouble()) : "not known";
  }

  private static String interval(double amount, OptionalDouble share) {
    return share.isEmpty()
        ? "-"
        : number(amount * (1 - share.getAsDouble()))
            + " to "
            + number(amount * (1 + share.getAsDouble()));
  }

  /** With three digits or more. */
  private static String number(double value) {
    return value >= HUNDRED
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value >= TEN ? "%.1f" : "%.3f", value);
  }
}
