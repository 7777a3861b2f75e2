package org.ecstore.bench.model;

import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.RangeHistogram;
import org.ecstore.replication.placement.PositionMap;

/**
 * How the copies of a model balance their load.
 *
 * @param tickNanos between two looks of a node at its copies
 * @param rememberNanos how long a client goes to the hot-spot replica that it was sent to without
 *     asking
 */
public record Adaptation(
    BalanceSettings settings,
    Histograms histograms,
    long halfLifeNanos,
    long tickNanos,
    long rememberNanos) {
  /** Makes the histogram of a copy. */
  public interface Histograms {
    RangeHistogram create(KeyRange keys, PositionMap positions, long halfLifeNanos);
  }

  /** With other settings. */
  public Adaptation with(BalanceSettings other) {
    return new Adaptation(other, histograms, halfLifeNanos, tickNanos, rememberNanos);
  }
}
