package org.ecstore.bench.figure;

import java.util.Collections;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * One quantity of several repetitions: seeds of a simulation, or rounds of a measurement. Two of
 * one figure are paired: the same place is the same seed, or rounds next to each other.
 */
public record Repeated(List<Double> values) {
  public Repeated {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a quantity without a repetition");
    }
  }

  /** Of one repetition. */
  public static Repeated once(double value) {
    return new Repeated(List.of(value));
  }

  /** How many repetitions there are. */
  public int count() {
    return values.size();
  }

  /** The least of all. */
  public double least() {
    return Collections.min(values);
  }

  /** The greatest of all. */
  public double most() {
    return Collections.max(values);
  }

  /** The one in the middle by size; the lower one of two. */
  public double median() {
    return values.stream().sorted().toList().get((values.size() - 1) / 2);
  }

  /** How far the repetition farthest from the median is from it. */
  public double spread() {
    return Math.max(most() - median(), median() - least());
  }

  /** Something of each repetition. */
  public Repeated map(DoubleUnaryOperator function) {
    return new Repeated(values.stream().map(function::applyAsDouble).toList());
  }

  /**
   * Something of each pair of repetitions.
   *
   * @throws IllegalArgumentException if there are not as many of the other
   */
  public Repeated with(Repeated other, DoubleBinaryOperator function) {
    if (count() != other.count()) {
      throw new IllegalArgumentException(
          "%d repetitions beside %d".formatted(count(), other.count()));
    }
    return new Repeated(
        IntStream.range(0, count())
            .mapToObj(i -> function.applyAsDouble(values.get(i), other.values.get(i)))
            .toList());
  }
}
