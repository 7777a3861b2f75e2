package org.ecstore.sim.check;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;

/**
 * What a write makes of a key by the words of rule 28, apart from what nodes do: numbers are
 * integers without a bound, cut to 64 bits at last, and lists are lists.
 */
final class ValueByHand {
  private static final int NUMBER_BYTES = 8;
  private static final int LENGTH_BYTES_MAX = 10;
  private static final int VALUE_BYTES_MAX = 1_048_576;

  private ValueByHand() {}

  /** The value that a key has after a write; absent if it is none. */
  static Optional<Bytes> after(Optional<Bytes> before, Mutation mutation) {
    return switch (mutation) {
      case Mutation.Put(var bytes) -> Optional.of(bytes);
      case Mutation.Delete _ -> Optional.empty();
      case Mutation.Operation(var op, var operand) when op == AtomicOp.APPEND_IF_ABSENT ->
          Optional.of(appended(before.orElse(Bytes.EMPTY), operand));
      case Mutation.Operation(var op, var operand) ->
          Optional.of(before.map(there -> calculated(op, there, operand)).orElse(operand));
    };
  }

  private static Bytes calculated(AtomicOp op, Bytes before, Bytes operand) {
    if (before.length() != NUMBER_BYTES) {
      return before;
    }
    BigInteger there = new BigInteger(before.array());
    BigInteger other = new BigInteger(operand.array());
    BigInteger exact =
        switch (op) {
          case ADD -> there.add(other);
          case MAX -> there.compareTo(other) < 0 ? other : there;
          case MIN -> there.compareTo(other) < 0 ? there : other;
          case APPEND_IF_ABSENT -> throw new IllegalArgumentException("not of numbers");
        };
    byte[] cut = new byte[NUMBER_BYTES];
    for (int i = 0; i < NUMBER_BYTES; i++) {
      cut[NUMBER_BYTES - 1 - i] = exact.shiftRight(8 * i).byteValue();
    }
    return Bytes.wrap(cut);
  }

  private static Bytes appended(Bytes before, Bytes operand) {
    Optional<List<Bytes>> elements = elements(before);
    if (elements.isEmpty()) {
      return before;
    }
    List<Bytes> there = new ArrayList<>(elements.get());
    Bytes longer = before;
    for (Bytes element : elements(operand).orElseThrow()) {
      Bytes more = length(element.length()).concat(element);
      if (!there.contains(element) && longer.length() + more.length() <= VALUE_BYTES_MAX) {
        there.add(element);
        longer = longer.concat(more);
      }
    }
    return longer;
  }

  /** The elements of a list, each behind its length; absent if it is no list. */
  private static Optional<List<Bytes>> elements(Bytes list) {
    List<Bytes> elements = new ArrayList<>();
    int at = 0;
    while (at < list.length()) {
      int from = at;
      BigInteger length = BigInteger.ZERO;
      boolean goesOn = true;
      while (goesOn) {
        if (at == list.length() || at - from == LENGTH_BYTES_MAX) {
          return Optional.empty();
        }
        BigInteger sevenBits = BigInteger.valueOf(list.at(at) & 0x7f);
        length = length.add(sevenBits.shiftLeft(7 * (at - from)));
        goesOn = list.at(at) < 0;
        at++;
      }
      if (length.compareTo(BigInteger.valueOf(list.length() - at)) > 0) {
        return Optional.empty();
      }
      elements.add(list.slice(at, at + length.intValueExact()));
      at += length.intValueExact();
    }
    return Optional.of(elements);
  }

  /** A length as it stands before an element: seven bits a byte, the lowest first. */
  private static Bytes length(int length) {
    Bytes written = Bytes.EMPTY;
    int rest = length;
    while (rest >= 0x80) {
      written = written.concat(Bytes.of(rest % 0x80 + 0x80));
      rest /= 0x80;
    }
    return written.concat(Bytes.of(rest));
  }
}
