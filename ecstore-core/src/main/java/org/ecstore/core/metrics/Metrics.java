package org.ecstore.core.metrics;

/**
 * Where the numbers of one node go. What implements it may be scraped, logged or thrown away: a
 * node never reads a value back, so that none of what it does depends on it.
 */
@FunctionalInterface
public interface Metrics {
  /** Takes nothing. */
  Metrics NONE = series -> Instrument.NONE;

  /**
   * What takes the values of a series. Asked for as a node is made, not for each value; for the
   * same series again where the node, or a part of it, is made anew, which then goes on with it.
   */
  Instrument of(MetricSeries series);
}
