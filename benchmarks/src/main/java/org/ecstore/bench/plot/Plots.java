package org.ecstore.bench.plot;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Series;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws charts as SVG files. */
public final class Plots {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;

  private Plots() {}

  /** Draws all charts of a figure into a directory; the files' names, in order. */
  public static List<String> draw(FigureReport figure, Path directory) throws IOException {
    Files.createDirectories(directory);
    List<String> names = new ArrayList<>();
    for (Chart chart : figure.charts()) {
      String suffix = chart.name().isEmpty() ? "" : "-" + chart.name();
      String name = String.format(Locale.ROOT, "figure-%02d%s.svg", figure.number(), suffix);
      try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
        VectorGraphicsEncoder.saveVectorGraphic(drawn(chart), out, VectorGraphicsFormat.SVG);
      }
      names.add(name);
    }
    return names;
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
    drawn.getStyler().setYAxisLogarithmic(chart.logarithmic());
    drawn.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    drawn.getStyler().setMarkerSize(6);
    if (!chart.logarithmic()) {
      drawn.getStyler().setYAxisMin(0.0);
    }
    for (Series series : chart.series()) {
      drawn.addSeries(series.name(), series.xs(), series.ys());
    }
    return drawn;
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
    drawn.getStyler().setLegendVisible(false);
    drawn.addSeries(
        chart.yLabel(),
        chart.series().stream().map(Series::name).toList(),
        chart.series().stream().map(Series::last).toList());
    return drawn;
  }
}
