package org.ecstore.bench.tpcw;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.figure.BarChart;
import org.ecstore.bench.figure.BarChart.Bars;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.Plots;

/** Pictures of runs: how many pages came each second, and how long nine of ten of each took. */
public final class TpcwPlots {
  /** More points than this say no more; so many seconds are put together that there are fewer. */
  private static final int POINTS_MAX = 120;

  private TpcwPlots() {}

  /** The names of the files that {@link #draw} makes of runs of some mixes. */
  public static List<String> files(List<TpcwMix> mixes) {
    return mixes.stream().flatMap(mix -> files(mix.text()).stream()).toList();
  }

  private static List<String> files(String mix) {
    return List.of("tpcw-" + mix + "-wips.svg", "tpcw-" + mix + "-wirt.svg");
  }

  /**
   * Draws two pictures of each mix into a directory.
   *
   * @param runs of {@link TpcwReport}: one of each mix and store
   * @return the files' names, in order
   */
  public static List<String> draw(List<ObjectNode> runs, Path directory) throws IOException {
    Map<String, List<ObjectNode>> byMix = new LinkedHashMap<>();
    runs.forEach(
        run ->
            byMix.computeIfAbsent(run.get("mix").asText(), absent -> new ArrayList<>()).add(run));
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, List<ObjectNode>> mix : byMix.entrySet()) {
      List<String> files = files(mix.getKey());
      Plots.draw(wips(mix.getKey(), mix.getValue()), directory.resolve(files.getFirst()));
      Plots.draw(wirt(mix.getKey(), mix.getValue()), directory.resolve(files.getLast()));
      names.addAll(files);
    }
    return names;
  }

  static Chart wips(String mix, List<ObjectNode> runs) {
    List<Series> curves = new ArrayList<>();
    for (JsonNode run : runs) {
      Series curve = new Series(TpcwReport.store(run));
      JsonNode pages = run.get("pagesBySecond");
      int step = (pages.size() + POINTS_MAX - 1) / POINTS_MAX;
      for (int from = 0; from < pages.size(); from += step) {
        int to = Math.min(pages.size(), from + step);
        long sum = 0;
        for (int second = from; second < to; second++) {
          sum += pages.get(second).asLong();
        }
        curve.add((from + to) / 2.0, (double) sum / (to - from));
      }
      curves.add(curve);
    }
    JsonNode any = runs.getFirst();
    return new Chart(
        "",
        "TPC-W, " + mix + " mix: interactions a second (WIPS)",
        "seconds, of which %.0f for warming up".formatted(any.get("warmUpSeconds").asDouble()),
        any.has("rate") ? "WIPS, %,.0f are due".formatted(any.get("rate").asDouble()) : "WIPS",
        false,
        curves);
  }

  static BarChart wirt(String mix, List<ObjectNode> runs) {
    List<Interaction> pages = Arrays.asList(Interaction.values());
    List<Bars> bars = new ArrayList<>();
    for (JsonNode run : runs) {
      bars.add(
          new Bars(
              TpcwReport.store(run),
              pages.stream()
                  .map(page -> run.at("/pages/" + page.abbreviation() + "/p90").asDouble())
                  .toList()));
    }
    return new BarChart(
        "TPC-W, " + mix + " mix: nine of ten of each page within (WIRT)",
        runs.getFirst().has("rate") ? "page, timed from when it was due" : "page",
        "milliseconds",
        true,
        pages.stream().map(Interaction::abbreviation).toList(),
        bars,
        new Bars("limit", pages.stream().map(page -> (double) page.limit().toMillis()).toList()));
  }
}
