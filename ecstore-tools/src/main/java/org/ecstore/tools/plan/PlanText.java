package org.ecstore.tools.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.ecstore.server.print.Columns;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.PlanOutcome.ClusterSize;
import org.ecstore.txn.qos.plan.PlanOutcome.NoPlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.predict.PredictorComparison;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.TableSetting;

/** A plan as people read it. */
public final class PlanText {
  private final List<String> lines = new ArrayList<>();
  private final List<String[]> facts = new ArrayList<>();
  private final TablePlan plan;
  private final Demand demand;

  private PlanText(TablePlan plan) {
    this.plan = plan;
    this.demand = plan.demand();
  }

  /** The plan, what the other tables say, and by which one it is. */
  public static List<String> lines(TablePlan plan, List<TablePlan> others) {
    PlanText text = new PlanText(plan);
    switch (plan.outcome()) {
      case NodePlan found -> text.found(found, others);
      case NoPlan none -> text.none(none);
    }
    text.fact("by table", plan.file());
    text.setting(plan.subject().setting());
    text.lines.addAll(Columns.align(text.facts));
    return text.lines;
  }

  /** The same without other tables, as one sentence. */
  public static String sentence(TablePlan plan) {
    return lines(plan, List.of()).stream()
        .map(line -> line.strip().replaceAll(" {2,}", ": "))
        .collect(Collectors.joining("; "));
  }

  /** How many nodes a plan that was found has, what is predicted of them, and by which table. */
  static List<String> summary(TablePlan plan) {
    List<String> lines = new ArrayList<>();
    lines.add(lines(plan, List.of()).getFirst());
    if (plan.outcome() instanceof NodePlan found) {
      Prediction prediction = found.prediction();
      lines.add(
          "  predicted are %s%s, and %s, by %s"
              .formatted(
                  Figures.millis(prediction.millis()),
                  interval(prediction.millis(), prediction.millisError()),
                  Figures.megabytes(prediction.megabytesPerSecond()),
                  plan.file()));
    }
    TableSetting setting = plan.subject().setting();
    if (!setting.unsteady().isEmpty()) {
      lines.add("  the table was not steady when it was measured: " + setting.unsteadyWords());
    }
    return lines;
  }

  private void setting(TableSetting setting) {
    setting.copies().ifPresent(count -> fact("copies", count + " of each range when measured"));
    if (!setting.unsteady().isEmpty()) {
      fact("not steady", "when measured: " + setting.unsteadyWords());
    }
  }

  private void fact(String name, String value) {
    facts.add(new String[] {name, value});
  }

  private String target() {
    return "a %s response time of %s"
        .formatted(demand.statistic().word(), Figures.millis(demand.millisMax()));
  }

  private static String load(Demand demand) {
    return switch (demand.load()) {
      case Demand.Clients(var count) -> clients(count);
      case Demand.Throughput(var megabytes) -> Figures.megabytes(megabytes);
    };
  }

  private static String clients(int count) {
    return count + (count == 1 ? " client" : " clients");
  }

  private static String nodes(int count) {
    return count + (count == 1 ? " node" : " nodes");
  }

  private String of() {
    String words = plan.subject().words();
    return words.isEmpty() ? "" : " (" + words + ")";
  }

  private void found(NodePlan found, List<TablePlan> others) {
    lines.add(
        "%s%s will do for %s with %s"
            .formatted(nodes(found.nodes()), of(), load(demand), target()));
    if (found.clientsAsked().isPresent()) {
      fact("the table begins at", clients(found.clients()) + ": fewer are no slower");
    }
    if (demand.load() instanceof Demand.Throughput) {
      fact("so much is asked for by", clients(found.clients()));
    }
    predicted(found.prediction());
    fact(
        "too slow above",
        found.clientsMax().isPresent()
            ? clients(found.clientsMax().getAsInt()) + " on so many nodes"
            : "more clients than the table has, "
                + plan.forecast().table().clients().last()
                + ": how many is not known");
    found.fewer().ifPresent(fewer -> fact("one step less", tooSlow(fewer)));
    if (found.prediction().millisError().isPresent() && found.safe().isEmpty()) {
      fact("within the interval", "no number of nodes of the table is sure to be fast enough");
    } else if (found.safe().isPresent() && found.safe().getAsInt() > found.nodes()) {
      fact(
          "to be sure",
          nodes(found.safe().getAsInt()) + ", of which the whole interval is fast enough");
    }
    cost(others);
  }

  private void cost(List<TablePlan> others) {
    OptionalDouble price = plan.price();
    if (price.isPresent()) {
      fact("costs in an hour", Figures.rounded(price.getAsDouble()).toPlainString());
    }
    for (TablePlan other : others) {
      String costs =
          other.price().isPresent()
              ? ", costs " + Figures.rounded(other.price().getAsDouble()).toPlainString()
              : "";
      fact(
          "alternative",
          other.outcome() instanceof NodePlan found
              ? "%s of %s: %s%s"
                  .formatted(
                      nodes(found.nodes()),
                      name(other),
                      Figures.millis(found.prediction().millis()),
                      costs)
              : "none of " + name(other));
    }
  }

  private static String name(TablePlan plan) {
    return plan.subject().words().isEmpty() ? plan.file() : plan.subject().words();
  }

  private String tooSlow(ClusterSize size) {
    double millis = size.prediction().millis();
    return "%s: %s, %s too slow"
        .formatted(
            nodes(size.servers()),
            Figures.millis(millis),
            Figures.millis(millis - demand.millisMax()));
  }

  private void predicted(Prediction prediction) {
    fact(
        "response time",
        Figures.millis(prediction.millis())
            + interval(prediction.millis(), prediction.millisError()));
    fact(
        "throughput",
        Figures.megabytes(prediction.megabytesPerSecond())
            + interval(prediction.megabytesPerSecond(), prediction.megabytesError()));
    String how =
        switch (prediction.basis()) {
          case MEASURED -> "measured with";
          case INTERPOLATED -> "interpolated between";
          case FITTED -> "by the curve through";
        };
    if (prediction.cells().isEmpty()) {
      fact(how, "all " + plan.forecast().table().cells().size() + " cells");
    }
    for (GridPoint point : prediction.cells()) {
      plan.forecast().table().cell(point).ifPresent(cell -> fact(how, cell(point, cell)));
    }
    if (prediction.basis() != Prediction.Basis.MEASURED) {
      fact(
          "because",
          plan.forecast()
              .comparison()
              .map(this::compared)
              .orElse("the table is too small for more"));
    }
  }

  private String compared(PredictorComparison comparison) {
    return "on %d cells held out interpolation was off by %s, the curve by %s"
        .formatted(
            comparison.curve().cells(),
            Figures.percent(comparison.interpolation().mean()),
            Figures.percent(comparison.curve().mean()));
  }

  private String cell(GridPoint point, PerformanceCell cell) {
    return "%s on %s: %s, %s"
        .formatted(
            clients(point.clients()),
            nodes(point.servers()),
            Figures.millis(cell.millis(demand.statistic()).orElse(cell.millis())),
            Figures.megabytes(cell.megabytesPerSecond()));
  }

  private static String interval(double amount, OptionalDouble error) {
    return error.isEmpty()
        ? ", how surely is not known"
        : ", from %s to %s"
            .formatted(
                Figures.rounded(amount * (1 - error.getAsDouble())).toPlainString(),
                Figures.rounded(amount * (1 + error.getAsDouble())).toPlainString());
  }

  private void none(NoPlan none) {
    lines.add("no plan for %s with %s%s".formatted(load(demand), target(), of()));
    fact("because", none.why());
    none.nearest().ifPresent(nearest -> fact("nearest", nearest(nearest)));
    if (none.clientsMax().isPresent()) {
      fact("these are fast enough for", clients(none.clientsMax().getAsInt()));
    }
    needed(none);
  }

  /** Whether there are more clients than the table has rows of. */
  private boolean isBeyondRows() {
    return demand.load() instanceof Demand.Clients(var count) && count > lastRow();
  }

  private int lastRow() {
    return plan.forecast().table().clients().last();
  }

  private String nearest(ClusterSize nearest) {
    if (isBeyondRows()) {
      return "%s with %s: %s"
          .formatted(
              nodes(nearest.servers()),
              clients(lastRow()),
              Figures.millis(nearest.prediction().millis()));
    }
    return demand.load() instanceof Demand.Throughput(var megabytes)
            && nearest.prediction().megabytesPerSecond() < megabytes
        ? "%s: %s"
            .formatted(
                nodes(nearest.servers()),
                Figures.megabytes(nearest.prediction().megabytesPerSecond()))
        : tooSlow(nearest);
  }

  private void needed(NoPlan none) {
    String byCurve =
        none.curveNodes().isPresent()
            ? "perhaps %s, by the curve through all cells"
                .formatted(nodes(none.curveNodes().getAsInt()))
            : "";
    if (isBeyondRows()) {
      fact("needed", "a table with rows up to %s: measure these".formatted(load(demand)));
      if (!byCurve.isEmpty()) {
        fact("for that", byCurve);
      }
    } else {
      fact(
          "needed",
          byCurve.isEmpty()
              ? "less load, a longer response time, or a table of faster nodes"
              : byCurve + ": measure that");
    }
  }
}
