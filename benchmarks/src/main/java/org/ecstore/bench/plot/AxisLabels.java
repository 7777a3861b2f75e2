package org.ecstore.bench.plot;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import org.ecstore.bench.figure.Series;
import org.knowm.xchart.style.AxesChartStyler;

/** A logarithmic axis that begins and ends at powers of ten, each of which has a label. */
final class AxisLabels {
  private AxisLabels() {}

  static void logarithmic(AxesChartStyler styler, List<Series> curves) {
    logarithmic(styler, values(curves).summaryStatistics());
  }

  /**
   * For some values.
   *
   * @param values above zero
   */
  static void logarithmic(AxesChartStyler styler, DoubleSummaryStatistics values) {
    double least = values.getCount() == 0 ? 1 : values.getMin();
    double most = values.getCount() == 0 ? 10 : values.getMax();
    double from = Math.pow(10, Math.floor(Math.log10(least)));
    double to = Math.pow(10, Math.ceil(Math.log10(most)));
    styler.setYAxisMin(from);
    styler.setYAxisMax(to > from ? to : 10 * from);
    styler.setYAxisLogarithmicDecadeOnly(to / from > 30);
    styler.setYAxisDecimalPattern("#,##0.##");
  }

  private static DoubleStream values(List<Series> curves) {
    return curves.stream().flatMap(curve -> curve.ys().stream()).mapToDouble(y -> y);
  }
}
