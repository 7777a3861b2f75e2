package org.ecstore.aggregate;

import java.math.BigDecimal;
import org.ecstore.key.Tuple;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Which records count: those whose key has an element that compares so. It holds of no key without
 * the element, nor of an element of another type; of a descending element what is within counts.
 *
 * @param element its index in the key, behind the prefix
 * @param operand a tuple of the one element that it is compared with; not null
 */
public record ElementCondition(int element, ElementComparison comparison, Tuple operand) {
  /** Of a decimal that elements are compared with: more would take a node's time. */
  public static final int DECIMAL_DIGITS_MAX = 100;

  boolean holds(Tuple key) {
    if (element >= key.size()) {
      return false;
    }
    Object own = key.value(element);
    Object other = operand.element(0);
    return own != null
        && other != null
        && own.getClass() == other.getClass()
        && comparison.holds(own, other);
  }

  /** Bytes that it takes in a message, about. */
  int length() {
    return Integer.BYTES + operand.encode().length();
  }

  static void write(WireWriter out, ElementCondition condition) {
    out.varint(condition.element).u8(condition.comparison.number());
    out.bytes(condition.operand.encode());
  }

  static ElementCondition read(WireReader in) {
    int element = Aggregate.readElement(in);
    int number = in.u8();
    ElementComparison comparison =
        ElementComparison.of(number)
            .orElseThrow(() -> new MalformedMessageException("unknown comparison " + number));
    Tuple operand = Aggregate.readTuple(in.bytes(Aggregate.CONDITIONS_BYTES_MAX));
    @Nullable Object value = operand.size() == 1 ? operand.value(0) : null;
    boolean fits =
        (value instanceof String || comparison != ElementComparison.STARTS_WITH)
            && !(value instanceof BigDecimal decimal && decimal.precision() > DECIMAL_DIGITS_MAX);
    if (value == null || !value.equals(operand.element(0)) || !fits) {
      throw new MalformedMessageException("an element cannot be compared with " + operand);
    }
    return new ElementCondition(element, comparison, operand);
  }
}
