package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * By how much a claim is right at one point, in each repetition: above 0 it is right, below 0 it is
 * wrong. Of two quantities it is how much greater the one is than the other, as a part of the
 * other.
 *
 * @param where the point, for people
 */
public record Margin(String where, Repeated by) {
  /** One quantity is claimed to be greater than another. */
  public static Margin above(String where, Repeated more, Repeated less) {
    return new Margin(where, more.with(less, (a, b) -> a / b - 1));
  }

  /** A curve is claimed to be above a multiple of another at every point. */
  public static List<Margin> above(String unit, Series more, double factor, Series less) {
    return each(
        more,
        (i, x) -> above(at(unit, x), more.point(i), less.point(i).map(value -> factor * value)));
  }

  /** A curve is claimed to be above another at every point. */
  public static List<Margin> above(String unit, Series more, Series less) {
    return above(unit, more, 1, less);
  }

  /** A curve is claimed to rise from each point to the next. */
  public static List<Margin> rising(String unit, Series curve) {
    return each(
            curve, (i, x) -> above(at(unit, x), curve.point(i), curve.point(Math.max(0, i - 1))))
        .subList(1, curve.size());
  }

  /** A curve is claimed to fall from each point to the next. */
  public static List<Margin> falling(String unit, Series curve) {
    return each(
            curve, (i, x) -> above(at(unit, x), curve.point(Math.max(0, i - 1)), curve.point(i)))
        .subList(1, curve.size());
  }

  /** All values of a curve are claimed to be within a factor of each other, in each repetition. */
  public static Margin steady(Series curve, double factor) {
    List<Double> by = new ArrayList<>();
    for (int i = 0; i < curve.point(0).count(); i++) {
      List<Double> values = curve.repetition(i);
      by.add(factor * Collections.min(values) / Collections.max(values) - 1);
    }
    return new Margin(curve.name(), new Repeated(by));
  }

  /** A curve is claimed to grow by at least a part of what its axis does. */
  public static Margin grows(Series curve, double part) {
    double nodes = curve.xs().getLast() / curve.xs().getFirst();
    return above(
        curve.name(),
        curve.point(curve.size() - 1),
        curve.point(0).map(first -> part * nodes * first));
  }

  /** The ranks of a curve's values are claimed to go with those of its axis, all in all. */
  public static Margin trend(Series curve) {
    List<Double> by = new ArrayList<>();
    for (int i = 0; i < curve.point(0).count(); i++) {
      by.add(Numbers.rankCorrelation(curve.xs(), curve.repetition(i)));
    }
    return new Margin(curve.name() + ", rank correlation", new Repeated(by));
  }

  /** The margins of one claim and of another that go together. */
  public static List<Margin> all(List<Margin> some, List<Margin> others) {
    return Stream.of(some, others).flatMap(List::stream).toList();
  }

  private static List<Margin> each(Series curve, BiFunction<Integer, Double, Margin> margin) {
    List<Margin> all = new ArrayList<>();
    for (int i = 0; i < curve.size(); i++) {
      all.add(margin.apply(i, curve.xs().get(i)));
    }
    return all;
  }

  private static String at(String unit, double x) {
    return unit.replace("%s", Numbers.text(x));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: by %+.1f%% to %+.1f%% in %d repetitions",
        where,
        100 * by.least(),
        100 * by.most(),
        by.count());
  }
}
