package org.ecstore.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The look of the report page, for charts in files: its light colours, its rules, its type. */
final class PlotStyle {
  private static final Color CARD = new Color(0xfffdf9);
  private static final Color INK = new Color(0x20242b);
  private static final Color QUIET = new Color(0x6d7280);
  private static final Color GRID = new Color(0xece8de);
  private static final Color RULE = new Color(0xe3ded3);

  /** What should not be exceeded. */
  static final Color LIMIT = new Color(0xe9c4bd);

  /** In the order of the page's style sheet. */
  private static final Color[] SERIES = {
    new Color(0x1f5fc4),
    new Color(0xdd7a1f),
    new Color(0x1a9a83),
    new Color(0xb3478f),
    new Color(0x8c8a1d),
    new Color(0x7458c9),
    new Color(0xc23b35),
    new Color(0x66707f)
  };

  private PlotStyle() {}

  static void apply(AxesChartStyler styler) {
    styler.setSeriesColors(SERIES);
    styler.setChartBackgroundColor(CARD);
    styler.setPlotBackgroundColor(CARD);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setChartFontColor(INK);
    styler.setChartTitleFont(new Font(Font.SERIF, Font.BOLD, 17));
    styler.setChartTitleBoxVisible(false);
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    styler.setAxisTickLabelsColor(QUIET);
    styler.setAxisTickMarksColor(RULE);
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBackgroundColor(CARD);
    styler.setLegendBorderColor(CARD);
    styler.setMarkerSize(6);
    styler.setErrorBarsColor(QUIET);
    styler.setDecimalPattern("#,##0.##");
  }
}
