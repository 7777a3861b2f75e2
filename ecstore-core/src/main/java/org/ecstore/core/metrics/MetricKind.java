package org.ecstore.core.metrics;

/** What becomes of the values of a metric. */
public enum MetricKind {
  /** They are added up; each is positive. The sum begins at 0 with the node. */
  COUNTER,
  /** The last one stands. */
  GAUGE,
  /** How many there were, their sum, and how they are spread; a timer, if they are times. */
  HISTOGRAM
}
