package org.ecstore.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.load.AnswerLog;
import org.ecstore.bench.load.AnswerLog.Had;

/**
 * What clients had in each second in which it counted. Lists are as long as one another.
 *
 * @param answers that came in it
 * @param meanMillis of what was to begin in it and was answered; 0 if nothing was
 * @param failed of what was to begin in it
 */
public record EachSecond(
    List<Long> answers,
    List<Double> meanMillis,
    List<Double> p50Millis,
    List<Double> p99Millis,
    List<Long> failed) {
  /** Of no second. */
  public static final EachSecond NONE =
      new EachSecond(List.of(), List.of(), List.of(), List.of(), List.of());

  private static final double MILLIS = 1e3;

  public EachSecond {
    answers = List.copyOf(answers);
    meanMillis = List.copyOf(meanMillis);
    p50Millis = List.copyOf(p50Millis);
    p99Millis = List.copyOf(p99Millis);
    failed = List.copyOf(failed);
    for (List<?> other : List.of(meanMillis, p50Millis, p99Millis, failed)) {
      if (other.size() != answers.size()) {
        throw new IllegalArgumentException(
            "%d seconds beside %d".formatted(other.size(), answers.size()));
      }
    }
  }

  /** The first seconds of a log, as many as these. */
  public static EachSecond of(AnswerLog log, int seconds) {
    List<Had> all = new ArrayList<>();
    for (int second = 0; second < Math.min(seconds, log.length()); second++) {
      all.add(log.had(second, second + 1));
    }
    return new EachSecond(
        all.stream().map(Had::answers).toList(),
        rounded(all, Had::meanMillis),
        rounded(all, Had::p50Millis),
        rounded(all, Had::p99Millis),
        all.stream().map(Had::failed).toList());
  }

  private static List<Double> rounded(List<Had> all, ToDoubleFunction<Had> figure) {
    return all.stream()
        .map(had -> Math.round(figure.applyAsDouble(had) * MILLIS) / MILLIS)
        .toList();
  }

  /** How many seconds there are. */
  public int size() {
    return answers.size();
  }

  /**
   * A response time of what was due in a second, the worst at most; the worst too where nothing of
   * it was answered. Empty where nothing was due.
   *
   * @param figure one of these lists
   */
  public OptionalDouble millis(List<Double> figure, int second, double worst) {
    if (meanMillis.get(second) > 0) {
      return OptionalDouble.of(Math.min(worst, figure.get(second)));
    }
    return failed.get(second) > 0 ? OptionalDouble.of(worst) : OptionalDouble.empty();
  }

  /** An object with a list of each figure. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode counts = json.putArray("answers");
    answers.forEach(counts::add);
    put(json.putArray("meanMillis"), meanMillis);
    put(json.putArray("p50Millis"), p50Millis);
    put(json.putArray("p99Millis"), p99Millis);
    ArrayNode failures = json.putArray("failed");
    failed.forEach(failures::add);
    return json;
  }

  private static void put(ArrayNode array, List<Double> values) {
    values.forEach(array::add);
  }

  /**
   * What {@link #json} wrote; {@link #NONE} of nothing.
   *
   * @throws IllegalArgumentException if its lists are of different lengths
   */
  public static EachSecond of(JsonNode json) {
    return new EachSecond(
        list(json.path("answers"), JsonNode::asLong),
        list(json.path("meanMillis"), JsonNode::asDouble),
        list(json.path("p50Millis"), JsonNode::asDouble),
        list(json.path("p99Millis"), JsonNode::asDouble),
        list(json.path("failed"), JsonNode::asLong));
  }

  private static <T> List<T> list(JsonNode array, Function<JsonNode, T> value) {
    List<T> all = new ArrayList<>();
    array.forEach(one -> all.add(value.apply(one)));
    return all;
  }
}
