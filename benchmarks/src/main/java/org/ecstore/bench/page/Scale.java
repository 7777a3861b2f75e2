package org.ecstore.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A logarithmic axis of times.
 *
 * @param from microseconds at its beginning
 * @param to at its end
 */
record Scale(double from, double to) {
  private static final double[] NICE = {1, 2, 5};
  private static final int DECADES_MIN = -1;
  private static final int DECADES_MAX = 9;
  private static final int TICKS_MAX = 5;

  /** The axis of nice ends that holds all between two values. */
  static Scale over(double least, double most) {
    double low = Math.max(0.1, least);
    double high = Math.max(low, most);
    List<Double> nice = nice();
    double from = nice.stream().filter(each -> each <= low).reduce((_, each) -> each).orElse(0.1);
    double to = nice.stream().filter(each -> each >= high && each > from).findFirst().orElse(1e9);
    return new Scale(from, to);
  }

  private static List<Double> nice() {
    List<Double> all = new ArrayList<>();
    for (int decade = DECADES_MIN; decade <= DECADES_MAX; decade++) {
      for (double each : NICE) {
        all.add(each * Math.pow(10, decade));
      }
    }
    return all;
  }

  /** Where a value is, from 0 to 1. */
  double at(double micros) {
    double value = Math.log(Math.clamp(micros, from, to));
    return (value - Math.log(from)) / (Math.log(to) - Math.log(from));
  }

  /** Values to mark. */
  List<Double> ticks() {
    double slack = 1e-9;
    List<Double> all =
        nice().stream()
            .filter(each -> each >= from * (1 - slack) && each <= to * (1 + slack))
            .toList();
    if (all.size() <= TICKS_MAX) {
      return all;
    }
    return all.stream()
        .filter(each -> Math.abs(Math.log10(each) - Math.rint(Math.log10(each))) < slack)
        .toList();
  }

  /** A time for people. */
  static String time(double micros) {
    if (micros >= 999_500) {
      return digits(micros / 1e6) + " s";
    }
    return micros >= 999.5 ? digits(micros / 1e3) + " ms" : digits(micros) + " µs";
  }

  /** Three digits, or all that are before the point. */
  static String digits(double value) {
    String text =
        value >= 99.95
            ? String.format(Locale.ROOT, "%,.0f", value)
            : String.format(Locale.ROOT, value >= 9.995 ? "%.1f" : "%.2f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}
