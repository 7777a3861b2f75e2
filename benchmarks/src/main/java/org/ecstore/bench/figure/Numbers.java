package org.ecstore.bench.figure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Small things about lists of numbers. */
public final class Numbers {
  private Numbers() {}

  /** For people. */
  public static String list(List<Double> values) {
    return values.stream().map(Numbers::text).collect(Collectors.joining(", "));
  }

  /** For people: each curve by its name, with its medians. */
  public static String curves(List<Series> curves) {
    return curves.stream()
        .map(curve -> curve.name() + ": " + list(curve.ys()))
        .collect(Collectors.joining("; "));
  }

  /** For people: about three digits. */
  public static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e6) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }

  /** Spearman's: 1 if one always rises with the other, -1 if it always falls. */
  static double rankCorrelation(List<Double> xs, List<Double> ys) {
    int count = xs.size();
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double apart = rank(xs, i) - rank(ys, i);
      sum += apart * apart;
    }
    return 1 - 6 * sum / (count * (Math.pow(count, 2) - 1.0));
  }

  private static double rank(List<Double> values, int index) {
    double rank = 0;
    for (int i = 0; i < values.size(); i++) {
      int order = values.get(i).compareTo(values.get(index));
      rank += order < 0 ? 1 : order == 0 && i != index ? 0.5 : 0;
    }
    return rank;
  }
}
