package org.ecstore.bench.plot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.ecstore.bench.figure.Series;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws distributions as SVG files. */
public final class DistributionPlots {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 420;
  private static final float LINE = 2;
  private static final float THIN = 1;
  private static final double TAIL = 99;

  /** A logarithmic axis has no zero. */
  private static final double LEAST = 0.001;

  private DistributionPlots() {}

  /** Draws a chart that has something in it into a file. */
  public static void draw(DistributionChart chart, Path file) throws IOException {
    Plots.save(drawn(chart), file);
  }

  private static XYChart drawn(DistributionChart chart) {
    XYChart drawn =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle("done within, %")
            .build();
    PlotStyle.apply(drawn.getStyler());
    DoubleSummaryStatistics xs =
        chart.curves().stream()
            .flatMap(curve -> curve.xs().stream())
            .mapToDouble(x -> Math.max(LEAST, x))
            .summaryStatistics();
    double least = Math.pow(10, Math.floor(Math.log10(xs.getMin())));
    double most = Math.max(10 * least, Math.pow(10, Math.ceil(Math.log10(xs.getMax()))));
    drawn.getStyler().setXAxisLogarithmic(true);
    drawn.getStyler().setXAxisLogarithmicDecadeOnly(true);
    drawn.getStyler().setXAxisMin(least);
    drawn.getStyler().setXAxisMax(most);
    drawn.getStyler().setXAxisDecimalPattern("#,##0.###");
    drawn.getStyler().setYAxisDecimalPattern("0");
    drawn.getStyler().setYAxisMin(0.0);
    drawn.getStyler().setYAxisMax(100.0);
    for (Series curve : chart.curves()) {
      XYSeries line =
          drawn.addSeries(
              curve.name(), curve.xs().stream().map(x -> Math.max(LEAST, x)).toList(), curve.ys());
      line.setMarker(SeriesMarkers.NONE);
      // The width counts for styles that are given after it.
      line.setLineWidth(LINE);
      line.setLineStyle(SeriesLines.SOLID);
    }
    XYSeries tail = drawn.addSeries("99 of 100", List.of(least, most), List.of(TAIL, TAIL));
    tail.setMarker(SeriesMarkers.NONE);
    tail.setLineColor(PlotStyle.LIMIT);
    tail.setLineWidth(THIN);
    tail.setLineStyle(SeriesLines.DASH_DASH);
    return drawn;
  }
}
