package org.ecstore.bench.plot;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ecstore.bench.figure.BarChart;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Series;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws charts as SVG files. */
public final class Plots {
  private static final int WIDTH = 720;
  private static final int WIDTH_OF_GROUPS = 960;
  private static final int HEIGHT = 420;
  private static final double WHOLE_FROM = 50;

  private Plots() {}

  /**
   * Draws all charts of a figure that have something in them into a directory; the files' names, in
   * order.
   */
  public static List<String> draw(FigureReport figure, Path directory) throws IOException {
    Files.createDirectories(directory);
    List<String> names = new ArrayList<>();
    for (Chart chart : figure.charts()) {
      if (chart.series().isEmpty()) {
        continue; // Nothing of it was measured.
      }
      String suffix = chart.name().isEmpty() ? "" : "-" + chart.name();
      String name = String.format(Locale.ROOT, "figure-%02d%s.svg", figure.number(), suffix);
      draw(chart, directory.resolve(name));
      names.add(name);
    }
    return names;
  }

  /** Draws a chart that has something in it into a file. */
  public static void draw(Chart chart, Path file) throws IOException {
    save(drawn(chart), file);
  }

  /** Draws bars side by side into a file. */
  public static void draw(BarChart chart, Path file) throws IOException {
    save(groups(chart), file);
  }

  static void save(org.knowm.xchart.internal.chartpart.Chart<?, ?> drawn, Path file)
      throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      VectorGraphicsEncoder.saveVectorGraphic(drawn, out, VectorGraphicsFormat.SVG);
    }
  }

  private static org.knowm.xchart.internal.chartpart.Chart<?, ?> drawn(Chart chart) {
    boolean bars = chart.series().stream().allMatch(series -> series.xs().size() == 1);
    return bars ? bars(chart) : lines(chart);
  }

  private static XYChart lines(Chart chart) {
    XYChart drawn =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle(chart.yLabel())
            .build();
    PlotStyle.apply(drawn.getStyler());
    drawn.getStyler().setXAxisDecimalPattern(pattern(chart));
    drawn.getStyler().setYAxisLogarithmic(chart.logarithmic());
    if (chart.logarithmic()) {
      AxisLabels.logarithmic(drawn.getStyler(), chart.series());
    } else {
      drawn.getStyler().setYAxisMin(0.0);
    }
    for (Series series : chart.series()) {
      XYSeries line =
          drawn.addSeries(series.name(), series.xs(), series.ys(), spreads(chart, series));
      if (series.name().equals("ideal")) {
        line.setMarker(SeriesMarkers.NONE);
        line.setLineStyle(SeriesLines.DASH_DASH);
      }
    }
    return drawn;
  }

  /** Parts of one are of no use on an axis up to a hundred. */
  private static String pattern(Chart chart) {
    double most =
        chart.series().stream().flatMap(series -> series.xs().stream()).reduce(0.0, Math::max);
    return most >= WHOLE_FROM ? "#,##0" : "#,##0.##";
  }

  /** Bars of error; none where there is one repetition, or all agree. */
  private static @Nullable List<Double> spreads(Chart chart, Series series) {
    boolean none = series.spreads().stream().allMatch(spread -> spread == 0);
    // Below zero a logarithmic axis has no place.
    return none || chart.logarithmic() ? null : series.spreads();
  }

  /** A bar of each series for each name, and a pale one as high as they may be. */
  private static CategoryChart groups(BarChart chart) {
    CategoryChart drawn =
        new CategoryChartBuilder()
            .width(WIDTH_OF_GROUPS)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle(chart.yLabel())
            .build();
    PlotStyle.apply(drawn.getStyler());
    drawn.getStyler().setAvailableSpaceFill(0.8);
    drawn.getStyler().setYAxisLogarithmic(chart.logarithmic());
    List<BarChart.Bars> all = new ArrayList<>(chart.bars());
    all.add(chart.limit());
    if (chart.logarithmic()) {
      AxisLabels.logarithmic(
          drawn.getStyler(),
          all.stream()
              .flatMap(bars -> bars.values().stream())
              .mapToDouble(value -> value)
              .filter(value -> value > 0)
              .summaryStatistics());
    } else {
      drawn.getStyler().setYAxisMin(0.0);
    }
    for (BarChart.Bars bars : chart.bars()) {
      drawn.addSeries(bars.name(), chart.names(), shown(bars));
    }
    CategorySeries limit =
        drawn.addSeries(chart.limit().name(), chart.names(), shown(chart.limit()));
    limit.setFillColor(PlotStyle.LIMIT);
    return drawn;
  }

  /** Where there is no bar there is no number, as a logarithmic axis has no zero. */
  private static List<@Nullable Double> shown(BarChart.Bars bars) {
    List<@Nullable Double> shown = new ArrayList<>();
    bars.values().forEach(value -> shown.add(value > 0 ? value : null));
    return shown;
  }

  /** One bar for each series of a single point. */
  private static CategoryChart bars(Chart chart) {
    CategoryChart drawn =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle(chart.yLabel())
            .build();
    PlotStyle.apply(drawn.getStyler());
    drawn.getStyler().setLegendVisible(false);
    drawn.getStyler().setOverlapped(true);
    drawn.getStyler().setAvailableSpaceFill(0.5);
    List<String> names = chart.series().stream().map(Series::name).toList();
    for (Series series : chart.series()) {
      // A colour for each: a series that has a value at its own name only.
      drawn.addSeries(
          series.name(),
          names,
          names.stream().map(name -> name.equals(series.name()) ? series.last() : 0.0).toList());
    }
    return drawn;
  }
}
