package org.ecstore.bench.figure;

import java.util.List;

/**
 * Bars side by side for each of some names, and marks that they should stay below.
 *
 * @param names of the groups, in order
 * @param bars one of each group for each of these
 * @param limit a mark in each group
 * @param logarithmic whether the upright axis is
 */
public record BarChart(
    String title,
    String xLabel,
    String yLabel,
    boolean logarithmic,
    List<String> names,
    List<Bars> bars,
    Bars limit) {
  public BarChart {
    names = List.copyOf(names);
    bars = List.copyOf(bars);
    for (Bars each : bars) {
      check(each, names);
    }
    check(limit, names);
  }

  private static void check(Bars bars, List<String> names) {
    if (bars.values().size() != names.size()) {
      throw new IllegalArgumentException(
          "%d bars of %s for %d names".formatted(bars.values().size(), bars.name(), names.size()));
    }
  }

  /**
   * One bar in each group.
   *
   * @param values 0 where there is none
   */
  public record Bars(String name, List<Double> values) {
    public Bars {
      values = List.copyOf(values);
    }
  }
}
