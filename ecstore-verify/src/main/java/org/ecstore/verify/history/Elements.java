package org.ecstore.verify.history;

import java.util.Arrays;
import java.util.stream.Collectors;

/** An immutable list of numbers, eight bytes each. */
public final class Elements {
  /** The empty list. */
  public static final Elements NONE = new Elements(new long[0]);

  private static final int SHOWN_MAX = 40;

  private final long[] numbers;

  private Elements(long[] numbers) {
    this.numbers = numbers;
  }

  /** A list of these. */
  public static Elements of(long... numbers) {
    return numbers.length == 0 ? NONE : new Elements(numbers.clone());
  }

  /** How many there are. */
  public int size() {
    return numbers.length;
  }

  /** The one at an index from zero. */
  public long at(int index) {
    return numbers[index];
  }

  /** The list with one more at its end. */
  public Elements with(long number) {
    long[] more = Arrays.copyOf(numbers, numbers.length + 1);
    more[numbers.length] = number;
    return new Elements(more);
  }

  /** The first so many. */
  public Elements first(int count) {
    return count == 0 ? NONE : new Elements(Arrays.copyOf(numbers, count));
  }

  /** How many elements from the beginning on are the same in both. */
  public int commonWith(Elements other) {
    int mismatch = Arrays.mismatch(numbers, other.numbers);
    return mismatch < 0 ? numbers.length : mismatch;
  }

  /** The sum of all. */
  public long sum() {
    return Arrays.stream(numbers).sum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Elements elements && Arrays.equals(numbers, elements.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }

  /** As JSON; of a long list the last ones. */
  @Override
  public String toString() {
    int left = Math.max(0, numbers.length - SHOWN_MAX);
    return Arrays.stream(numbers)
        .skip(left)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(",", left > 0 ? "[..." + left + " more...," : "[", "]"));
  }
}
