package org.ecstore.core.metrics;

/** What the values of a metric are counted in. */
public enum MetricUnit {
  /** Things: commits, copies, records. */
  COUNT,
  /** Time on the node's monotonic clock. */
  NANOSECONDS,
  /** Memory, or data. */
  BYTES,
  /** Positions of the ledger. */
  POSITIONS
}
