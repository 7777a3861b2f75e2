package org.ecstore.core.metrics;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The instruments of a metric with one tag, made once for all values of it. */
public final class TaggedInstrument<E extends Enum<E>> {
  private final Map<E, Instrument> instruments;

  /**
   * Those of a node.
   *
   * @throws IllegalArgumentException if the metric has other tags than one of this type
   */
  public TaggedInstrument(Metrics metrics, Metric metric, Class<E> type) {
    if (metric.tags().size() != 1 || metric.tags().getFirst().type() != type) {
      throw new IllegalArgumentException(metric.name() + " is not by " + type.getSimpleName());
    }
    instruments = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      instruments.put(
          constant, metrics.of(new MetricSeries(metric, List.of(MetricTag.value(constant)))));
    }
  }

  /** The instrument of a value. */
  public Instrument of(E constant) {
    return instruments.getOrDefault(constant, Instrument.NONE);
  }
}
