package org.ecstore.client;

import java.math.BigDecimal;
import org.ecstore.aggregate.ElementComparison;
import org.ecstore.aggregate.ElementCondition;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Descending;
import org.ecstore.key.Tuple;

/**
 * What an element of a key has to be for its record to count: {@link Aggregation#where}. It holds
 * of elements of the type of what they are compared with, as {@link Tuple} keeps it, and orders;
 * never of null. Immutable.
 */
public final class Condition {
  private final ElementComparison comparison;
  private final Tuple operand;

  private Condition(ElementComparison comparison, Object operand) {
    this.comparison = comparison;
    this.operand = Tuple.of(operand);
    if (this.operand.element(0) instanceof BigDecimal decimal
        && decimal.precision() > ElementCondition.DECIMAL_DIGITS_MAX) {
      throw new WrongArgumentException(
          "elements are compared with a decimal of 100 digits at most",
          null,
          "digits",
          decimal.precision());
    }
    if (this.operand.isNull(0) || this.operand.element(0) instanceof Descending) {
      throw new WrongArgumentException(
          "an element is compared with a value, ascending or not, and not with null",
          null,
          "with",
          this.operand);
    }
  }

  /** That it is the value. */
  public static Condition equalTo(Object value) {
    return new Condition(ElementComparison.EQUAL, value);
  }

  /** That it is less. */
  public static Condition below(Object value) {
    return new Condition(ElementComparison.BELOW, value);
  }

  /** That it is the value or less. */
  public static Condition atMost(Object value) {
    return new Condition(ElementComparison.AT_MOST, value);
  }

  /** That it is greater. */
  public static Condition above(Object value) {
    return new Condition(ElementComparison.ABOVE, value);
  }

  /** That it is the value or greater. */
  public static Condition atLeast(Object value) {
    return new Condition(ElementComparison.AT_LEAST, value);
  }

  /** That it is a string that begins so. */
  public static Condition startsWith(String beginning) {
    return new Condition(ElementComparison.STARTS_WITH, beginning);
  }

  ElementComparison comparison() {
    return comparison;
  }

  Tuple operand() {
    return operand;
  }
}
