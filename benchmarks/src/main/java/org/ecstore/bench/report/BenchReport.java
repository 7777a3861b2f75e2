package org.ecstore.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Series;

/** Figures with all their numbers, and the costs they rest on. */
public final class BenchReport {
  private final CostModel costs;
  private final String source;
  private final long seed;
  private final boolean quick;
  private final List<FigureReport> figures;
  private final Map<Integer, List<String>> plots;

  /**
   * A report.
   *
   * @param source where the costs are from, for people
   * @param plots the files of each figure's charts
   */
  public BenchReport(
      CostModel costs,
      String source,
      long seed,
      boolean quick,
      List<FigureReport> figures,
      Map<Integer, List<String>> plots) {
    this.costs = costs;
    this.source = source;
    this.seed = seed;
    this.quick = quick;
    this.figures = List.copyOf(figures);
    this.plots = new LinkedHashMap<>(plots);
  }

  /** Whether every claim holds. */
  public boolean allHold() {
    return figures.stream().flatMap(figure -> figure.claims().stream()).allMatch(Claim::holds);
  }

  /** Every number. */
  public ObjectNode json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("seed", seed).put("quick", quick).put("costsFrom", source);
    all.set("costsNanos", costs(costs));
    ArrayNode each = all.putArray("figures");
    figures.forEach(figure -> each.add(json(figure)));
    return all;
  }

  /** Whether a file has what {@link #json} makes. */
  public static boolean isIn(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try {
      JsonNode there = new ObjectMapper().readTree(file.toFile());
      return there.path("costsNanos").isObject() && there.path("figures").isArray();
    } catch (JacksonException | CharConversionException e) {
      return false;
    }
  }

  /** Costs by their names, as {@link #costs(JsonNode)} reads them. */
  public static ObjectNode costs(CostModel costs) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    costs.byName().forEach(object::put);
    return object;
  }

  /**
   * The costs in a report, or alone.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static CostModel costs(JsonNode json) {
    JsonNode object = json.has("costsNanos") ? json.get("costsNanos") : json;
    Map<String, Long> costs = new LinkedHashMap<>();
    object
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().canConvertToLong()) {
                costs.put(entry.getKey(), entry.getValue().asLong());
              }
            });
    return CostModel.of(costs);
  }

  private ObjectNode json(FigureReport figure) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("figure", figure.number()).put("title", figure.title()).put("how", figure.how());
    ObjectNode settings = object.putObject("settings");
    figure.settings().forEach(settings::put);
    ArrayNode charts = object.putArray("charts");
    for (Chart chart : figure.charts()) {
      ObjectNode drawn = charts.addObject();
      drawn.put("title", chart.title()).put("x", chart.xLabel()).put("y", chart.yLabel());
      ArrayNode curves = drawn.putArray("series");
      for (Series series : chart.series()) {
        ObjectNode curve = curves.addObject().put("name", series.name());
        ArrayNode xs = curve.putArray("x");
        series.xs().forEach(xs::add);
        ArrayNode ys = curve.putArray("y");
        series.ys().forEach(ys::add);
        ArrayNode repetitions = curve.putArray("repetitions");
        for (int i = 0; i < series.size(); i++) {
          ArrayNode point = repetitions.addArray();
          series.point(i).values().forEach(point::add);
        }
      }
    }
    ArrayNode claims = object.putArray("claims");
    for (Claim claim : figure.claims()) {
      ObjectNode said = claims.addObject();
      said.put("paper", claim.paper()).put("holds", claim.holds());
      said.put("verdict", claim.verdict().words()).put("found", claim.found());
      said.put("decided", claim.decided());
    }
    ArrayNode files = object.putArray("plots");
    plots.getOrDefault(figure.number(), List.of()).forEach(files::add);
    return object;
  }

  /** A page in Markdown; the plots are where {@code plotsAt} leads from it. */
  public String page(String plotsAt) {
    StringBuilder page = new StringBuilder();
    page.append("# The paper's figures\n\nBy `bin/ecstore bench paper`, seed ").append(seed);
    page.append(quick ? ", quick.\n\n" : ".\n\n");
    page.append("Costs in microseconds (").append(source).append("): ");
    page.append(costsText(costs)).append(".\n\n");
    page.append(
        """
        Everything is run %d times, with other seeds, or in as many rounds on processes. A claim
        holds if each repetition agrees with it at every point, and does not hold if each contradicts
        it at some point. Where repetitions disagree, or there are fewer, it is not shown. What
        decides is the point that comes nearest to contradicting the claim: by how much it is right
        there, from the worst repetition to the best. Charts show medians, with the repetition that
        is farthest off.

        """
            .formatted(Claim.REPETITIONS_MIN));
    page.append("| figure | the paper says | here |\n| --- | --- | --- |\n");
    for (FigureReport figure : figures) {
      for (Claim claim : figure.claims()) {
        page.append("| %d | %s | %s |%n".formatted(figure.number(), claim.paper(), verdict(claim)));
      }
    }
    figures.forEach(figure -> addFigure(page, figure, plotsAt));
    return page.toString().replace("\r\n", "\n");
  }

  private void addFigure(StringBuilder page, FigureReport figure, String plotsAt) {
    page.append(
        "\n## Figure %d: %s%n%n%s%n".formatted(figure.number(), figure.title(), figure.how()));
    for (String plot : plots.getOrDefault(figure.number(), List.of())) {
      page.append("%n![%s](%s%s)%n".formatted(plot, plotsAt, plot));
    }
    page.append("\nSettings: ").append(settings(figure)).append(".\n\n");
    for (Claim claim : figure.claims()) {
      page.append(
          "- %s%n  Verdict: %s. Medians: %s.%n  Decided at %s.%n"
              .formatted(claim.paper(), verdict(claim), claim.found(), claim.decided()));
    }
  }

  private static String settings(FigureReport figure) {
    return figure.settings().entrySet().stream()
        .map(setting -> setting.getKey() + " " + setting.getValue())
        .collect(Collectors.joining("; "));
  }

  private static String verdict(Claim claim) {
    return claim.holds() ? claim.verdict().words() : "**" + claim.verdict().words() + "**";
  }

  /** The costs for people, in microseconds. */
  public static String costsText(CostModel costs) {
    List<String> parts =
        costs.byName().entrySet().stream()
            .map(cost -> cost.getKey() + " " + cost.getValue() / 1000.0)
            .toList();
    return String.join(", ", parts);
  }
}
