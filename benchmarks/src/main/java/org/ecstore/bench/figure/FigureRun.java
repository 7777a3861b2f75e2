package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.cost.CostModel;

/**
 * What a run of figures is given.
 *
 * @param seed of the first repetition
 * @param quick fewer operations and sizes: to see that it works
 * @param adaptive whether what adapts is allowed to; false only to show that claims then fail
 * @param steps is told of each piece of work that is done
 */
public record FigureRun(
    long seed, boolean quick, CostModel costs, boolean adaptive, Runnable steps) {
  /** How often everything is run, each time with another seed. */
  public static final int REPETITIONS = Claim.REPETITIONS_MIN;

  private static final long SEEDS_APART = 1_000;

  /** One of two values. */
  public int pick(int full, int forQuick) {
    return quick ? forQuick : full;
  }

  /** The same with another seed. */
  public FigureRun withSeed(long other) {
    return new FigureRun(other, quick, costs, adaptive, steps);
  }

  /** Something of each repetition, in the order of their seeds. */
  public <T> List<T> repeat(Function<FigureRun, T> once) {
    List<T> results = new ArrayList<>();
    for (int i = 0; i < REPETITIONS; i++) {
      results.add(once.apply(withSeed(seed + i * SEEDS_APART)));
    }
    return results;
  }

  /** A number of each of several results. */
  public static <T> Repeated of(List<T> results, ToDoubleFunction<T> number) {
    return new Repeated(results.stream().map(number::applyAsDouble).toList());
  }
}
