package org.ecstore.sim.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** Rule 28 as the checkers know it: by examples, and the same as what nodes do. */
final class ValueByHandTest {
  private static Bytes number(long value) {
    return new WireWriter().i64(value).toBytes();
  }

  private static Optional<Bytes> after(Optional<Bytes> before, AtomicOp op, Bytes operand) {
    return ValueByHand.after(before, new Mutation.Operation(op, operand));
  }

  private static long calculated(AtomicOp op, long before, long operand) {
    Optional<Bytes> value = after(Optional.of(number(before)), op, number(operand));
    return new BigInteger(value.orElseThrow().array()).longValueExact();
  }

  @Test
  void numbersAreAddedComparedAndWrapAround() {
    assertEquals(-3, calculated(AtomicOp.ADD, 4, -7));
    assertEquals(Long.MIN_VALUE, calculated(AtomicOp.ADD, Long.MAX_VALUE, 1));
    assertEquals(4, calculated(AtomicOp.MAX, 4, -7));
    assertEquals(-7, calculated(AtomicOp.MIN, 4, -7));
    for (AtomicOp op : List.of(AtomicOp.ADD, AtomicOp.MAX, AtomicOp.MIN)) {
      assertEquals(Optional.of(number(-7)), after(Optional.empty(), op, number(-7)));
      assertEquals(Optional.of(Bytes.of(1)), after(Optional.of(Bytes.of(1)), op, number(2)));
    }
  }

  @Test
  void elementsAreAppendedOnce() {
    assertEquals(
        Optional.of(Bytes.of(1, 5, 1, 7)),
        after(Optional.of(Bytes.of(1, 5)), AtomicOp.APPEND_IF_ABSENT, Bytes.of(1, 5, 1, 7, 1, 7)));
    assertEquals(
        Optional.of(Bytes.of(1, 5)),
        after(Optional.empty(), AtomicOp.APPEND_IF_ABSENT, Bytes.of(1, 5)));
    Optional<Bytes> noList = Optional.of(Bytes.of(2, 5));
    assertEquals(noList, after(noList, AtomicOp.APPEND_IF_ABSENT, Bytes.of(1, 5)));
  }

  @Test
  void putsAndDeletesLookAtNothing() {
    Optional<Bytes> before = Optional.of(Bytes.of(1));
    assertEquals(
        Optional.of(Bytes.of(2)), ValueByHand.after(before, new Mutation.Put(Bytes.of(2))));
    assertEquals(Optional.empty(), ValueByHand.after(before, Mutation.delete()));
  }

  @Test
  void nodesDoTheSame() {
    SimRandom random = new SimRandom(1);
    for (int i = 0; i < 20_000; i++) {
      AtomicOp op = random.pick(List.of(AtomicOp.values()));
      Optional<Bytes> before = random.chance(0.1) ? Optional.empty() : Optional.of(drawn(random));
      Bytes operand = op.isNumeric() ? drawnNumber(random) : drawnList(random);
      Mutation mutation = new Mutation.Operation(op, operand);
      assertEquals(
          mutation.after(before),
          ValueByHand.after(before, mutation),
          () -> mutation + " of " + before);
    }
  }

  private static Bytes drawn(SimRandom random) {
    return switch (random.between(0, 2)) {
      case 0 -> drawnNumber(random);
      case 1 -> drawnList(random);
      default -> drawnBytes(random, random.between(0, 12));
    };
  }

  private static Bytes drawnNumber(SimRandom random) {
    return random.chance(0.3)
        ? number(random.pick(List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L)))
        : drawnBytes(random, Long.BYTES);
  }

  private static Bytes drawnList(SimRandom random) {
    WireWriter list = new WireWriter();
    for (int i = random.between(0, 4); i > 0; i--) {
      list.bytes(random.chance(0.1) ? drawnBytes(random, 200) : Bytes.of(random.between(0, 3)));
    }
    return list.toBytes();
  }

  private static Bytes drawnBytes(SimRandom random, int length) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      values.add(random.chance(0.5) ? random.between(0, 3) : random.between(0, 255));
    }
    return Bytes.of(values.stream().mapToInt(Integer::intValue).toArray());
  }
}
