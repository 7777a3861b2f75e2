package org.ecstore.bench.qos.modelled;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.cost.CostModel;

/**
 * A class of server as the model has it. Paper: Cassandra QoS §V, which has Amazon's m1.small and
 * m1.medium, each with one virtual core, 1.7 and 3.75 GB of memory, and a row cache of 500 MB.
 *
 * <p>The paper states no service times. All that a class has of its own are two constants, each
 * from two or more cells of the paper's tables, in round figures:
 *
 * <ul>
 *   <li>how many times longer each cost of {@link CostModel#TYPICAL} takes, so that 128 clients on
 *       two servers under zipf have the response time of Tables II (23.37 ms) and III (13.53 ms);
 *   <li>what a read that the row cache does not have takes more, so that uniform reads take as much
 *       longer than those under zipf as they do in Tables II to V, 16 % on the average of all cells
 *       of each class. With less memory beside the heap, a small server reads more from its disk.
 * </ul>
 */
public enum ModelledClass {
  /** m1.small. */
  SMALL("small", 12, 120_000),
  /** m1.medium. */
  MEDIUM("medium", 7, 70_000);

  private final String word;
  private final double slowdown;
  private final long missNanos;

  ModelledClass(String word, double slowdown, long missNanos) {
    this.word = word;
    this.slowdown = slowdown;
    this.missNanos = missNanos;
  }

  /** As users and tables say it. */
  public String word() {
    return word;
  }

  /** The class of a name; absent if there is none. */
  public static Optional<ModelledClass> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }

  /** All names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ModelledClass::word).toList();
  }

  /** How many times longer than in {@link CostModel#TYPICAL} its processor is busy. */
  double slowdown() {
    return slowdown;
  }

  /** What a read that the row cache does not have takes more, in nanoseconds. */
  long missNanos() {
    return missNanos;
  }

  /** What things cost on it; the network is that of the cost model. */
  CostModel costs() {
    CostModel typical = CostModel.TYPICAL;
    return new CostModel(
        slowed(typical.read()),
        slowed(typical.write()),
        slowed(typical.scan()),
        slowed(typical.scanRecord()),
        slowed(typical.message()),
        slowed(typical.messageRecord()),
        typical.network(),
        typical.logAppend(),
        typical.logRecord());
  }

  private long slowed(long nanos) {
    return Math.round(slowdown * nanos);
  }
}
