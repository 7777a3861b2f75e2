package org.ecstore.bench.process;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;

/**
 * What was measured of a figure on processes, to be added to its report.
 *
 * @param how in a sentence
 * @param settings of the measurement, by their names
 */
record MeasuredFigure(
    String how, Map<String, String> settings, List<Chart> charts, List<Claim> claims) {
  FigureReport to(FigureReport simulated) {
    Map<String, String> both = new LinkedHashMap<>(simulated.settings());
    both.putAll(settings);
    List<Chart> drawn = new ArrayList<>(simulated.charts());
    drawn.addAll(charts);
    List<Claim> said = new ArrayList<>(simulated.claims());
    said.addAll(claims);
    return new FigureReport(
        simulated.number(), simulated.title(), simulated.how() + " " + how, both, drawn, said);
  }
}
