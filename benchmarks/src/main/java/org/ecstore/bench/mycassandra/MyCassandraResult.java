package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.DistributionChart;
import org.ecstore.bench.plot.DistributionPlots;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.ycsb.YcsbKinds;

/**
 * What an experiment has found: distributions, by how much engines decide, and what becomes of the
 * papers' claims; as JSON, as text and as pictures, made of what was measured whenever they are
 * wanted.
 */
public final class MyCassandraResult {
  private static final String MILLIS = "ms, from when an operation was to begin";

  private final Experiment experiment;
  private final List<FigureReport> reports;
  private final List<LatencyDistribution> distributions;
  private final List<KindShift> shifts;

  private MyCassandraResult(JsonNode result) {
    this.experiment = Experiment.of(result);
    this.reports = MyCassandraClaims.reports(result, experiment);
    this.distributions = LatencyDistribution.of(result);
    this.shifts = KindShift.all(new MeasuredMixes(result), experiment.clusters());
  }

  /**
   * Of a comparison that says its {@link Experiment}.
   *
   * @throws IllegalArgumentException if it does not, or a distribution in it cannot be read
   */
  public static MyCassandraResult of(JsonNode result) {
    return new MyCassandraResult(result);
  }

  /** Adds what was found to the result. */
  public void describe(ObjectNode result) {
    ArrayNode each = result.putArray("distributions");
    distributions.forEach(one -> each.add(one.json()));
    ArrayNode all = result.putArray("shifts");
    shifts.forEach(shift -> all.add(shift.json()));
    ArrayNode claims = result.putArray("claims");
    for (FigureReport report : reports) {
      for (Claim claim : report.claims()) {
        claims
            .addObject()
            .put("about", report.title())
            .put("paper", claim.paper())
            .put("verdict", claim.verdict().words())
            .put("found", claim.found())
            .put("decided", claim.decided());
      }
    }
  }

  /** The same for people. */
  public List<String> lines() {
    List<String> lines =
        new ArrayList<>(MyCassandraText.distributions(distributions, experiment.rate()));
    lines.addAll(MyCassandraText.shifts(shifts));
    lines.addAll(MyCassandraText.claims(reports));
    return lines;
  }

  /** Draws all pictures that have something in them into a directory; the files' names. */
  public List<String> draw(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FigureReport report : reports) {
      names.addAll(Plots.draw(report, directory));
    }
    for (Mix mix : Mix.values()) {
      for (String kind : List.of(YcsbKinds.READ, YcsbKinds.UPDATE)) {
        List<LatencyDistribution> of =
            distributions.stream()
                .filter(one -> one.mix() == mix && one.kind().equals(kind))
                .toList();
        if (!of.isEmpty()) {
          String name = "distribution-%s-%ss.svg".formatted(mix.workload(), kind);
          DistributionPlots.draw(chart(mix, kind, of), directory.resolve(name));
          names.add(name);
        }
      }
    }
    return names;
  }

  private DistributionChart chart(Mix mix, String kind, List<LatencyDistribution> of) {
    String title =
        "%s%ss, %s, %d operations per second"
            .formatted(
                Character.toUpperCase(kind.charAt(0)),
                kind.substring(1),
                mix.workload(),
                experiment.rate());
    return new DistributionChart(title, MILLIS, of.stream().map(this::curve).toList());
  }

  private Series curve(LatencyDistribution one) {
    JsonNode json = one.json();
    JsonNode p99 = json.at("/percentilesMillis/p99");
    Series curve =
        new Series(
            p99.isNumber() ? "%s, p99 %.1f".formatted(one.store(), p99.asDouble()) : one.store());
    for (int i = 0; i < json.get("millis").size(); i++) {
      curve.add(json.get("millis").get(i).asDouble(), json.get("percent").get(i).asDouble());
    }
    return curve;
  }
}
