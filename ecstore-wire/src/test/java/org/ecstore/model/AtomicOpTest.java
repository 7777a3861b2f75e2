package org.ecstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class AtomicOpTest {
  private static final Optional<Bytes> NOTHING = Optional.empty();

  private static Bytes number(long value) {
    return new WireWriter().i64(value).toBytes();
  }

  private static Bytes list(String... elements) {
    WireWriter out = new WireWriter();
    for (String element : elements) {
      out.bytes(Bytes.utf8(element));
    }
    return out.toBytes();
  }

  @Test
  void numbersAreAddedAndCompared() {
    assertEquals(number(7), AtomicOp.ADD.apply(NOTHING, number(7)));
    assertEquals(number(-3), AtomicOp.ADD.apply(Optional.of(number(4)), number(-7)));
    assertEquals(
        number(Long.MIN_VALUE), AtomicOp.ADD.apply(Optional.of(number(Long.MAX_VALUE)), number(1)));
    assertEquals(number(7), AtomicOp.MAX.apply(Optional.of(number(-1)), number(7)));
    assertEquals(number(-1), AtomicOp.MIN.apply(Optional.of(number(-1)), number(7)));
    assertEquals(number(-9), AtomicOp.MAX.apply(NOTHING, number(-9)));
    assertEquals(number(9), AtomicOp.MIN.apply(NOTHING, number(9)));
  }

  @Test
  void elementsAreAppendedOnceInTheirOrder() {
    AtomicOp op = AtomicOp.APPEND_IF_ABSENT;
    assertEquals(list("b", "a"), op.apply(NOTHING, list("b", "a", "b")));
    assertEquals(list("a", "", "c"), op.apply(Optional.of(list("a", "")), list("", "c", "a")));
    Bytes same = list("a");
    assertEquals(same, op.apply(Optional.of(same), list("a")));
  }

  /** Nothing is lost by an operation that does not fit what there is. */
  @Test
  void aValueOfAnotherKindStaysAsItIs() {
    Optional<Bytes> text = Optional.of(Bytes.utf8("\u007ftext"));
    for (AtomicOp op : AtomicOp.values()) {
      Bytes operand = op.isNumeric() ? number(1) : list("x");
      assertEquals(text.get(), op.apply(text, operand), op.toString());
    }
  }

  @Test
  void operandsAreChecked() {
    assertTrue(AtomicOp.ADD.isOperand(number(0)));
    assertFalse(AtomicOp.ADD.isOperand(Bytes.utf8("seven b")));
    assertFalse(AtomicOp.APPEND_IF_ABSENT.isOperand(Bytes.of(2, 0)));
    assertThrows(
        IllegalArgumentException.class, () -> new Mutation.Operation(AtomicOp.MAX, Bytes.EMPTY));
    assertEquals(Optional.empty(), AtomicOp.of(0));
    for (AtomicOp op : AtomicOp.values()) {
      assertEquals(Optional.of(op), AtomicOp.of(op.number()));
    }
  }

  /** What does not fit is left out, and what comes behind it may fit. */
  @Test
  void aListKeepsWithinTheLimitOfAValue() {
    Bytes most = list("x".repeat(Limits.VALUE_BYTES_MAX - 10));
    Bytes longer = AtomicOp.APPEND_IF_ABSENT.apply(Optional.of(most), list("123456789", "12"));
    assertEquals(most.length() + 3, longer.length());
    assertEquals(most.concat(list("12")), longer);
    assertThrows(
        IllegalArgumentException.class,
        () -> AtomicOp.APPEND_IF_ABSENT.combined(most, list("123456789")));
  }

  /** One operand that does what two do, on whatever there is. */
  @Test
  void operandsOfOneTransactionAreCombined() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      AtomicOp op = AtomicOp.of(1 + random.nextInt(4)).orElseThrow();
      Bytes first = operand(op, random);
      Bytes second = operand(op, random);
      Optional<Bytes> before = random.nextInt(4) == 0 ? NOTHING : Optional.of(operand(op, random));
      assertEquals(
          op.apply(Optional.of(op.apply(before, first)), second),
          op.apply(before, op.combined(first, second)),
          op.toString());
    }
  }

  private static Bytes operand(AtomicOp op, Random random) {
    return op.isNumeric()
        ? number(random.nextLong())
        : list("" + random.nextInt(5), "" + random.nextInt(5));
  }
}
