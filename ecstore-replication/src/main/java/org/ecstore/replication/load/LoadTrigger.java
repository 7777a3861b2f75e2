package org.ecstore.replication.load;

/**
 * Says when a copy is to shed load (rule 25): the levels are c, c lambda, c lambda^2, ..., and a
 * load that has risen past one of them since the last look is worth one balancing round, however
 * many levels it has passed. A load that falls lowers the level only once it is a whole factor
 * below it: one that sways about a level does not start a round each time.
 *
 * <p>Paper: ecStore §4.3.
 */
public final class LoadTrigger {
  private double unit;
  private final double factor;
  private int passed = -1;

  /**
   * Below all levels.
   *
   * @param unit c, the first level, above 0
   * @param factor lambda, above 1
   */
  public LoadTrigger(double unit, double factor) {
    if (!(unit > 0) || !(factor > 1)) {
      throw new IllegalArgumentException(
          "a unit of load is above 0 and a threshold factor above 1: " + unit + ", " + factor);
    }
    this.unit = unit;
    this.factor = factor;
  }

  /**
   * Another first level. From a lower one on a load that is above it is worth a round again; from a
   * higher one on what was passed counts as passed.
   *
   * @param first c, above 0
   */
  public void startAt(double first) {
    double was = passed < 0 ? 0 : unit * Math.pow(factor, passed);
    boolean isLower = first < unit;
    unit = first;
    passed = isLower ? -1 : level(was);
  }

  /** Whether the load has risen past a level since the last look. */
  public boolean crosses(double load) {
    int level = level(load);
    if (level > passed) {
      passed = level;
      return true;
    }
    if (level < passed - 1) {
      passed = level + 1;
    }
    return false;
  }

  /** The greatest i with c lambda^i at or below the load; -1 below all. */
  private int level(double load) {
    int level = -1;
    for (double next = unit; next <= load; next *= factor) {
      level++;
    }
    return level;
  }
}
