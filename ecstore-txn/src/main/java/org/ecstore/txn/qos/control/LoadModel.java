package org.ecstore.txn.qos.control;

/**
 * What a response time becomes as servers have more or less to do. Below saturation it is that of
 * an open queue, {@code S / (1 - busy)}, so that it changes by {@code (1 - busy) / (1 - then)}; a
 * saturated system is a closed one, whose response time is as what each server has to do. Of both
 * the one is taken that promises less.
 */
final class LoadModel {
  /** Above that nothing is said: a queue that only grows has no length. */
  private static final double BUSY_MAX = 0.98;

  /** From here on clients wait for servers, and not the other way round. */
  private static final double SATURATED = 0.9;

  private LoadModel() {}

  /**
   * A response time, in the unit of the one of now.
   *
   * @param busy how much of their capacity servers use now
   * @param then how much of it they will, if answers are as fast as now
   */
  static double response(double now, double busy, double then) {
    double from = Math.clamp(busy, 0, BUSY_MAX);
    double to = Math.clamp(then, 0, BUSY_MAX);
    double open = now * (1 - from) / (1 - to);
    if (from < SATURATED) {
      return open;
    }
    double closed = now * to / from;
    return Math.max(open, closed);
  }
}
