package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;

/** A curve: its name and its points, each of which has been found several times. */
public final class Series {
  private final String name;
  private final List<Double> xs = new ArrayList<>();
  private final List<Repeated> points = new ArrayList<>();

  /** A curve without points. */
  public Series(String name) {
    this.name = name;
  }

  /** Adds a point that is not a matter of chance. */
  public Series add(double x, double y) {
    return add(x, Repeated.once(y));
  }

  /** Adds a point. */
  public Series add(double x, Repeated y) {
    xs.add(x);
    points.add(y);
    return this;
  }

  /** What the curve shows. */
  public String name() {
    return name;
  }

  /** How many points there are. */
  public int size() {
    return xs.size();
  }

  /** Where the points are. */
  public List<Double> xs() {
    return xs;
  }

  /** What a point is, in each repetition. */
  public Repeated point(int index) {
    return points.get(index);
  }

  /** What the points are: their medians. */
  public List<Double> ys() {
    return points.stream().map(Repeated::median).toList();
  }

  /** How far the repetitions of each point are from its median, at most. */
  public List<Double> spreads() {
    return points.stream().map(Repeated::spread).toList();
  }

  /** All points of one repetition. */
  public List<Double> repetition(int index) {
    return points.stream().map(point -> point.values().get(index)).toList();
  }

  /** The value at the last point. */
  public double last() {
    return points.getLast().median();
  }
}
