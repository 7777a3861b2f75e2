package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;

/** A curve: its name and its points. */
public final class Series {
  private final String name;
  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();

  /** A curve without points. */
  public Series(String name) {
    this.name = name;
  }

  /** Adds a point. */
  public Series add(double x, double y) {
    xs.add(x);
    ys.add(y);
    return this;
  }

  /** What the curve shows. */
  public String name() {
    return name;
  }

  /** Where the points are. */
  public List<Double> xs() {
    return xs;
  }

  /** What the points are. */
  public List<Double> ys() {
    return ys;
  }

  /** The value at the last point. */
  public double last() {
    return ys.getLast();
  }
}
