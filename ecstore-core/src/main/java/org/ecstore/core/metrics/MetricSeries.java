package org.ecstore.core.metrics;

import java.util.List;

/**
 * A metric, or the part of it with certain values of its tags.
 *
 * @param tagValues one for each tag, in their order
 */
public record MetricSeries(Metric metric, List<String> tagValues) {
  /** Of a metric without tags, the only one. */
  public MetricSeries(Metric metric) {
    this(metric, List.of());
  }

  /**
   * A series.
   *
   * @throws IllegalArgumentException if the values are not those of the metric's tags
   */
  public MetricSeries {
    tagValues = List.copyOf(tagValues);
    boolean fits = tagValues.size() == metric.tags().size();
    for (int i = 0; fits && i < tagValues.size(); i++) {
      fits = metric.tags().get(i).values().contains(tagValues.get(i));
    }
    if (!fits) {
      throw new IllegalArgumentException(metric.name() + " has no series " + tagValues);
    }
  }
}
