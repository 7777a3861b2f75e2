package org.ecstore.aggregate;

import java.util.Optional;
import org.ecstore.key.Tuple;

/** How an element is compared with another of its type. The numbers are fixed for ever. */
public enum ElementComparison {
  EQUAL(1),
  BELOW(2),
  AT_MOST(3),
  ABOVE(4),
  AT_LEAST(5),
  /** A string that begins with another. */
  STARTS_WITH(6);

  private final int number;

  ElementComparison(int number) {
    this.number = number;
  }

  /** Its number in messages. */
  int number() {
    return number;
  }

  /** The comparison of a number; absent if there is none. */
  static Optional<ElementComparison> of(int number) {
    return number >= 1 && number <= values().length
        ? Optional.of(values()[number - 1])
        : Optional.empty();
  }

  /** Whether it holds of an element and what that is compared with, both of one class. */
  boolean holds(Object element, Object operand) {
    if (this == STARTS_WITH) {
      return element instanceof String text && text.startsWith((String) operand);
    }
    int order = Tuple.of(element).compareTo(Tuple.of(operand));
    return switch (this) {
      case EQUAL, STARTS_WITH -> order == 0;
      case BELOW -> order < 0;
      case AT_MOST -> order <= 0;
      case ABOVE -> order > 0;
      case AT_LEAST -> order >= 0;
    };
  }
}
