package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.ecstore.bench.control.PhaseLoads.Said;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.model.objective.Statistic;

/**
 * What came of a phase.
 *
 * @param fromSeconds when it began, since the first one did
 * @param toSeconds when it ended
 * @param shop what its clients say
 * @param reports what the clients of the other application say
 * @param samples that were taken meanwhile
 * @param end how long before its end the objective is looked at, in seconds
 */
record PhaseResult(
    QosPhase phase,
    double fromSeconds,
    double toSeconds,
    Figures shop,
    Optional<Figures> reports,
    List<ControlSample> samples,
    double end) {
  private static final double MICROS = 1e3;
  private static final double HALF = 0.5;
  private static final int PERCENT = 100;
  private static final String REFUSED = "OVERLOADED";

  PhaseResult {
    samples = List.copyOf(samples);
  }

  /** As clients have said it. */
  static PhaseResult of(
      QosPhase phase,
      double fromSeconds,
      double toSeconds,
      Said said,
      List<ControlSample> samples,
      double end) {
    return new PhaseResult(
        phase,
        fromSeconds,
        toSeconds,
        Figures.of(said.shop()),
        said.reports().map(Figures::of),
        samples,
        end);
  }

  /**
   * What clients of an application say.
   *
   * @param refused operations that nodes did not take, as they were too many
   * @param failed operations that failed for another reason
   * @param undone operations that were due and had not begun at the end
   * @param why kinds of refusals and failures, with how many of each
   * @param settledMillis as {@link #owedMillis}, of what was to begin after one window of the
   *     controller's checks; empty if the phase was over by then
   * @param seconds each second that counts
   */
  record Figures(
      double perSecond,
      long operations,
      double meanMillis,
      double p50Millis,
      double p99Millis,
      long refused,
      long failed,
      long undone,
      String why,
      OptionalDouble settledMillis,
      EachSecond seconds) {
    static Figures of(JsonNode said) {
      long refused = 0;
      long failed = 0;
      for (Map.Entry<String, JsonNode> kind : said.path("errorsByKind").properties()) {
        if (kind.getKey().endsWith(REFUSED)) {
          refused += kind.getValue().asLong();
        } else {
          failed += kind.getValue().asLong();
        }
      }
      JsonNode latency = said.path("latencyMicros");
      return new Figures(
          said.path("throughput").asDouble(),
          said.path("operations").asLong(),
          millis(latency, "mean"),
          millis(latency, "p50"),
          millis(latency, "p99"),
          refused,
          failed,
          said.path("undone").asLong(),
          failed + refused == 0 ? "" : said.path("errorsByKind").toString(),
          owed(
              said.at("/settled/due").asLong(),
              said.at("/settled/failed").asLong(),
              said.at("/settled/p99Millis").asDouble()),
          EachSecond.of(said.path("eachSecond")));
    }

    /**
     * The p99 of all that clients asked for: endless where more than one of a hundred operations
     * were refused or failed, as these have no time; empty if nothing was asked for.
     */
    OptionalDouble owedMillis() {
      return owed(operations + undone + refused + failed, refused + failed, p99Millis);
    }

    private static OptionalDouble owed(long due, long lacking, double p99Millis) {
      return due == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(lacking * PERCENT > due ? Double.POSITIVE_INFINITY : p99Millis);
    }

    /** Rounded to microseconds. */
    private static double millis(JsonNode latency, String statistic) {
      return Math.round(latency.path(statistic).asDouble()) / MICROS;
    }

    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("throughput", perSecond).put("operations", operations);
      ObjectNode millis = json.putObject("millis");
      millis.put("mean", meanMillis).put("p50", p50Millis).put("p99", p99Millis);
      json.put("refused", refused).put("failed", failed).put("undone", undone);
      if (!why.isEmpty()) {
        json.put("errors", why);
      }
      settledMillis.ifPresent(p99 -> putOwed(json, "p99MillisAfterWindow", p99));
      if (seconds.size() > 0) {
        json.set("eachSecond", seconds.json());
      }
      return json;
    }
  }

  /** JSON has no number for what is endless. */
  static void putOwed(ObjectNode json, String name, double millis) {
    if (Double.isInfinite(millis)) {
      json.put(name, QosText.ENDLESS);
    } else {
      json.put(name, millis);
    }
  }

  private List<ControlSample> atEnd() {
    return samples.stream().filter(sample -> sample.seconds() >= toSeconds - end).toList();
  }

  /** The share of the samples at the end in which the objective was kept; empty without any. */
  OptionalDouble keptShare() {
    return atEnd().stream()
        .flatMap(sample -> sample.isKept().stream())
        .mapToDouble(isKept -> isKept ? 1 : 0)
        .average();
  }

  /** Whether the objective was kept at the end: in more than half of the samples. */
  boolean isKept() {
    return keptShare().orElse(0) > HALF;
  }

  /** A statistic of the shop at the end, in the middle of the samples; empty without any. */
  OptionalDouble endMillis(Statistic statistic) {
    List<Double> sorted =
        atEnd().stream()
            .flatMap(sample -> sample.shop().stream())
            .map(had -> had.millis(statistic))
            .sorted()
            .toList();
    return sorted.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(sorted.get(sorted.size() / 2));
  }

  /** Nodes that have ranges of their own, when it was over; empty if none said. */
  OptionalInt places() {
    return samples.stream()
        .map(ControlSample::places)
        .filter(OptionalInt::isPresent)
        .reduce((_, later) -> later)
        .orElse(OptionalInt.empty());
  }

  CoreUse cores() {
    return CoreUse.mean(samples.stream().map(ControlSample::cores).toList());
  }

  /** For people, as soon as it is over. */
  String line() {
    return "%s: %.0f/s of %s, p99 %.1f ms, %s at its end"
        .formatted(
            phase.name(),
            shop.perSecond(),
            phase.load().words(),
            shop.p99Millis(),
            isKept() ? "kept" : "NOT kept");
  }

  /**
   * All of it but the samples.
   *
   * @param statistic of the objective
   */
  ObjectNode json(Statistic statistic) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", phase.name());
    json.put("fromSeconds", Math.round(fromSeconds)).put("toSeconds", Math.round(toSeconds));
    phase.load().write(json);
    json.put("floodClients", phase.floodClients());
    json.set(QosRunSettings.SHOP, shop.json());
    reports.ifPresent(figures -> json.set(QosRunSettings.REPORTS, figures.json()));
    json.put("kept", isKept());
    keptShare().ifPresent(share -> json.put("keptShareAtEnd", share));
    endMillis(statistic).ifPresent(millis -> json.put(statistic.word() + "MillisAtEnd", millis));
    places().ifPresent(nodes -> json.put("nodesAtEnd", nodes));
    json.set("cores", cores().json());
    return json;
  }
}
