package org.ecstore.bench.mycassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;

/** What an experiment has found, as lines for people. */
final class MyCassandraText {
  private MyCassandraText() {}

  /** A table for each mix and kind of operation that was measured. */
  static List<String> distributions(List<LatencyDistribution> all, int rate) {
    List<String> lines = new ArrayList<>();
    String before = "";
    for (LatencyDistribution one : all) {
      String table = one.mix().workload() + ", " + one.kind() + "s";
      if (!table.equals(before)) {
        lines.add("");
        lines.add(heading(table, rate));
        before = table;
      }
      lines.add(row(one));
    }
    return lines;
  }

  private static String heading(String table, int rate) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%-34s %6s %9s %9s",
            table + " at " + rate + "/s, ms",
            "rounds",
            "count",
            "mean"));
    for (double percentile : LatencyDistribution.SHOWN) {
      line.append(String.format(Locale.ROOT, " %9s", LatencyDistribution.name(percentile)));
    }
    return line.toString();
  }

  private static String row(LatencyDistribution one) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "  %-32s %6d %,9d %9s",
            one.store(),
            one.rounds(),
            one.nanos().getTotalCount(),
            millis(one.meanMillis())));
    for (double percentile : LatencyDistribution.SHOWN) {
      OptionalDouble value = one.millis(percentile);
      line.append(
          String.format(
              Locale.ROOT, " %9s", value.isPresent() ? millis(value.getAsDouble()) : "-"));
    }
    return line.toString();
  }

  /** About three digits. */
  private static String millis(double value) {
    return String.format(
        Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** By how much engines decide, beside the paper. */
  static List<String> shifts(List<KindShift> shifts) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%-52s %7s   %s",
            "The engine made for it by the other, times",
            "paper",
            "here (of all rounds)"));
    shifts.forEach(shift -> lines.add(shift.line()));
    return lines;
  }

  static List<String> claims(List<FigureReport> reports) {
    List<String> lines = new ArrayList<>();
    for (FigureReport report : reports) {
      lines.add("");
      lines.add(report.title());
      for (Claim claim : report.claims()) {
        lines.add(
            String.format(Locale.ROOT, "  %-14s  %s", claim.verdict().words(), claim.paper()));
        lines.add("                  found: " + claim.found());
        lines.add("                  decided at " + claim.decided());
      }
    }
    return lines;
  }
}
