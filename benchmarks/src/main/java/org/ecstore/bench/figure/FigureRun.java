package org.ecstore.bench.figure;

import org.ecstore.bench.cost.CostModel;

/**
 * What a run of figures is given.
 *
 * @param quick fewer operations and sizes: to see that it works
 * @param adaptive whether what adapts is allowed to; false only to show that claims then fail
 * @param steps is told of each piece of work that is done
 */
public record FigureRun(
    long seed, boolean quick, CostModel costs, boolean adaptive, Runnable steps) {
  /** One of two values. */
  public int pick(int full, int forQuick) {
    return quick ? forQuick : full;
  }
}
