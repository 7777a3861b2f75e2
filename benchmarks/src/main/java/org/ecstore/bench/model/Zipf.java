package org.ecstore.bench.model;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Ranks from 0, rank r drawn with a probability in proportion to (r + 1)^-s. */
public final class Zipf {
  private final double[] upTo;

  /** Among so many ranks, with the factor s. */
  public Zipf(int ranks, double factor) {
    upTo = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      sum += Math.pow(i + 1, -factor);
      upTo[i] = sum;
    }
  }

  /** One rank. */
  public int draw(RandomGenerator random) {
    double at = random.nextDouble() * upTo[upTo.length - 1];
    int found = Arrays.binarySearch(upTo, at);
    return Math.min(upTo.length - 1, found >= 0 ? found + 1 : -found - 1);
  }
}
