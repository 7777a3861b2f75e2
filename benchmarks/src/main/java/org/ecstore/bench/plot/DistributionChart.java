package org.ecstore.bench.plot;

import java.util.List;
import org.ecstore.bench.figure.Series;

/**
 * Distributions over one another: how many percent took so long at most.
 *
 * @param xLabel what it took, with its unit; the axis is logarithmic
 * @param curves x is what it took, y percent; both rise
 */
public record DistributionChart(String title, String xLabel, List<Series> curves) {
  public DistributionChart {
    curves = List.copyOf(curves);
  }
}
