package org.ecstore.bench.plot;

import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws what there was over time as SVG files. */
public final class TimePlots {
  /** The name of a picture of response times over time. */
  public static final String RESPONSE_TIME = "response-time.svg";

  /** The name of one of throughput over time. */
  public static final String THROUGHPUT = "throughput.svg";

  private static final int WIDTH = 960;
  private static final int HEIGHT = 420;

  /** Above the greatest value, for the words of marks. */
  private static final double ROOM = 1.35;

  /** Words are at so many heights in turns, so that neighbours can be read. */
  private static final int HEIGHTS = 5;

  private static final double STEP = 0.05;
  private static final double UPPERMOST = 0.96;

  private static final float THIN = 1;
  private static final float THICK = 7;

  /** Where the bars of periods are, as parts of the height; those of another kind are above. */
  private static final double LOWEST = 0.02;

  private static final double ABOVE = 0.03;

  /** Pixels between labels of seconds, about. */
  private static final int SPACING = 80;

  private static final int SPACING_MIN = 30;

  /** About the height of what is within the axes. */
  private static final int INNER = 300;

  private TimePlots() {}

  /** Draws a chart into a file; one without any value too. */
  public static void draw(TimeChart chart, Path file) throws IOException {
    Plots.save(drawn(chart), file);
  }

  /** Draws both of what clients had into a directory; the names of the files. */
  public static List<String> draw(TimeChart responseTime, TimeChart throughput, Path directory)
      throws IOException {
    draw(responseTime, directory.resolve(RESPONSE_TIME));
    draw(throughput, directory.resolve(THROUGHPUT));
    return List.of(RESPONSE_TIME, THROUGHPUT);
  }

  private static XYChart drawn(TimeChart chart) {
    XYChart drawn =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle("seconds")
            .yAxisTitle(chart.yLabel())
            .build();
    PlotStyle.apply(drawn.getStyler());
    double top = top(chart);
    if (chart.isStepped()) {
      top = Math.ceil(top);
      drawn.getStyler().setYAxisTickMarkSpacingHint((int) Math.max(SPACING_MIN, INNER / top));
      drawn.getStyler().setYAxisDecimalPattern("0");
    }
    drawn.getStyler().setXAxisTickMarkSpacingHint(SPACING);
    drawn.getStyler().setYAxisMin(0.0);
    drawn.getStyler().setYAxisMax(top);
    drawn.getStyler().setXAxisMin(0.0);
    drawn.getStyler().setXAxisDecimalPattern("#,##0");
    drawn.getStyler().setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    for (Series series : chart.lines()) {
      line(drawn, series, chart.isStepped());
    }
    for (Series series : chart.bounds()) {
      line(drawn, series, false).setLineStyle(SeriesLines.DASH_DASH);
    }
    double height = LOWEST;
    for (Periods periods : chart.periods()) {
      if (!periods.all().isEmpty()) {
        levels(drawn, periods, height * top);
        height += ABOVE;
      }
    }
    int words = 0;
    for (Marks marks : chart.marks()) {
      if (!marks.all().isEmpty()) {
        bars(drawn, marks, top);
      }
      for (Mark mark : marks.all()) {
        if (!mark.words().isEmpty()) {
          double at = top * (UPPERMOST - STEP * (words % HEIGHTS));
          drawn.addAnnotation(new AnnotationText(mark.words(), mark.seconds(), at, false));
          words++;
        }
      }
    }
    return drawn;
  }

  private static double top(TimeChart chart) {
    double most =
        Stream.concat(chart.lines().stream(), chart.bounds().stream())
            .flatMap(series -> series.ys().stream())
            .reduce(0.0, Math::max);
    return most > 0 ? most * ROOM : 1;
  }

  private static XYSeries line(XYChart drawn, Series series, boolean isStepped) {
    // The library takes no series without points.
    List<Double> xs = series.xs().isEmpty() ? List.of(0.0) : series.xs();
    List<Double> ys = series.xs().isEmpty() ? List.of(0.0) : series.ys();
    XYSeries line = drawn.addSeries(series.name(), xs, ys);
    line.setMarker(SeriesMarkers.NONE);
    if (isStepped) {
      line.setXYSeriesRenderStyle(XYSeriesRenderStyle.Step);
    }
    return line;
  }

  /** A level bar for each, as one series with gaps between. */
  private static void levels(XYChart drawn, Periods periods, double height) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (Period period : periods.all()) {
      xs.addAll(List.of(period.from(), period.to(), period.to()));
      ys.addAll(List.of(height, height, Double.NaN));
    }
    XYSeries bars = drawn.addSeries(periods.name(), xs, ys);
    bars.setMarker(SeriesMarkers.NONE);
    // The width counts for styles that are given after it.
    bars.setLineWidth(THICK);
    bars.setLineStyle(SeriesLines.SOLID);
  }

  /** An upright line for each, as one series with gaps between. */
  private static void bars(XYChart drawn, Marks marks, double top) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (Mark mark : marks.all()) {
      xs.addAll(List.of(mark.seconds(), mark.seconds(), mark.seconds()));
      ys.addAll(List.of(0.0, top, Double.NaN));
    }
    XYSeries bars = drawn.addSeries(marks.name(), xs, ys);
    bars.setMarker(SeriesMarkers.NONE);
    bars.setLineWidth(THIN);
    bars.setLineStyle(SeriesLines.SOLID);
  }
}
