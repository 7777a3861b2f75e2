package org.ecstore.key;

import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * An element of a tuple that stands in descending order: {@code Tuple.of("chess",
 * Tuple.desc(points), player)} makes a list with the most points first. Made by {@link Tuple#desc};
 * the accessors of a tuple give what is within.
 */
public final class Descending implements Comparable<Descending> {
  private final @Nullable Object element;

  private Descending(@Nullable Object element) {
    this.element = element;
  }

  /** Of what a tuple can hold, but this itself. */
  static Descending of(@Nullable Object value) {
    if (value instanceof Descending) {
      throw new WrongArgumentException("a descending element is descending already", null);
    }
    return new Descending(TupleElements.elementOf(0, value));
  }

  /** Of an element as tuples keep it. */
  static Descending decoded(@Nullable Object element) {
    return new Descending(element);
  }

  /** What is ordered, as {@link Tuple#element} gives it. */
  public @Nullable Object element() {
    return element;
  }

  /** The greater element comes first. */
  @Override
  public int compareTo(Descending other) {
    return TupleElements.compare(other.element, element);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Descending that
        && (element == null ? that.element == null : element.equals(that.element));
  }

  @Override
  public int hashCode() {
    return element == null ? 1 : ~element.hashCode();
  }

  /** As {@code desc(7)}. */
  @Override
  public String toString() {
    return "desc(" + TupleElements.text(element) + ")";
  }
}
