package org.ecstore.core.metrics;

/**
 * Takes the values of one series. Called on the hot path by the node's event loop, and by few other
 * threads of the node: an implementation is safe for use by several threads, does not block, and
 * does not throw.
 */
@FunctionalInterface
public interface Instrument {
  /** Takes nothing. */
  Instrument NONE = value -> {};

  /**
   * Takes a value in the unit of the metric: what is added to a counter, where a gauge stands, or
   * one more of a histogram.
   */
  void record(long value);

  /** One more. */
  default void count() {
    record(1);
  }
}
