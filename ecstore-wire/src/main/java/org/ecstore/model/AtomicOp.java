package org.ecstore.model;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What an operation makes of a value and an operand (rule 28, docs/decisions/0065). Each gives a
 * value for every value there may be, the same on every node; the numbers are fixed for ever.
 *
 * <p>Numbers are of 8 bytes, the highest first, two's complement. A value of another length is left
 * as it is by the operations on numbers, and one that cannot be read as a list of elements by the
 * other.
 */
public enum AtomicOp {
  /** The sum; an absent value counts as 0. It wraps around as Java's {@code long} does. */
  ADD(1),

  /** The greater number; an absent value is less than any. */
  MAX(2),

  /** The lesser number; an absent value is greater than any. */
  MIN(3),

  /**
   * The list with the elements of the operand behind it that are not in it, as far as the list then
   * keeps within the limit of a value. Elements are bytes, each behind its length (a
   * variable-length integer); an absent value is the empty list.
   */
  APPEND_IF_ABSENT(4);

  private final int number;

  AtomicOp(int number) {
    this.number = number;
  }

  /** Its number in messages and in the ledger. */
  public int number() {
    return number;
  }

  /** The operation of a number; absent if there is none. */
  public static Optional<AtomicOp> of(int number) {
    return switch (number) {
      case 1 -> Optional.of(ADD);
      case 2 -> Optional.of(MAX);
      case 3 -> Optional.of(MIN);
      case 4 -> Optional.of(APPEND_IF_ABSENT);
      default -> Optional.empty();
    };
  }

  /** Whether values are numbers, all of one length. */
  public boolean isNumeric() {
    return this != APPEND_IF_ABSENT;
  }

  /** Whether it can work with an operand. */
  public boolean isOperand(Bytes operand) {
    return isNumeric() ? isNumber(operand) : isList(operand);
  }

  private static boolean isNumber(Bytes value) {
    return value.length() == Long.BYTES;
  }

  private static long number(Bytes value) {
    return ByteBuffer.wrap(value.array()).getLong();
  }

  private static Bytes number(long value) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private static boolean isList(Bytes value) {
    WireReader in = new WireReader(value);
    try {
      while (in.remaining() > 0) {
        in.skipBytes();
      }
      return true;
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /** The value that there is from now on. */
  public Bytes apply(Optional<Bytes> before, Bytes operand) {
    return applyAll(before, List.of(operand));
  }

  /**
   * As often as there are operands, one after the other. A list is looked through once for all.
   *
   * @param operands one at least
   */
  public Bytes applyAll(Optional<Bytes> before, List<Bytes> operands) {
    return isNumeric() ? calculated(before, operands) : appended(before, operands);
  }

  private Bytes calculated(Optional<Bytes> before, List<Bytes> operands) {
    if (before.isPresent() && !isNumber(before.get())) {
      return before.get();
    }
    long value = number(before.orElse(operands.get(0)));
    for (Bytes operand : before.isPresent() ? operands : operands.subList(1, operands.size())) {
      value = calculated(value, number(operand));
    }
    return number(value);
  }

  private long calculated(long before, long operand) {
    return switch (this) {
      case MAX -> Math.max(before, operand);
      case MIN -> Math.min(before, operand);
      default -> before + operand;
    };
  }

  private static Bytes appended(Optional<Bytes> before, List<Bytes> operands) {
    Bytes list = before.orElse(Bytes.EMPTY);
    if (!isList(list)) {
      return list;
    }
    Set<Bytes> there = new LinkedHashSet<>();
    for (WireReader in = new WireReader(list); in.remaining() > 0; ) {
      there.add(in.bytes());
    }
    WireWriter longer = new WireWriter(list.length() + Long.BYTES).raw(list.array());
    for (Bytes operand : operands) {
      for (WireReader in = new WireReader(operand); in.remaining() > 0; ) {
        int left = in.remaining();
        Bytes element = in.bytes();
        if (longer.length() + left - in.remaining() <= Limits.VALUE_BYTES_MAX
            && there.add(element)) {
          longer.bytes(element);
        }
      }
    }
    return longer.length() == list.length() ? list : longer.toBytes();
  }

  /**
   * The one operand that does what two do one after the other.
   *
   * @throws IllegalArgumentException if they are more than a value may be
   */
  public Bytes combined(Bytes first, Bytes second) {
    if (isNumeric()) {
      return apply(Optional.of(first), second);
    }
    // What comes twice is appended once, whenever that is found out.
    Bytes both = first.concat(second);
    if (both.length() > Limits.VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("elements of " + both.length() + " bytes");
    }
    return both;
  }
}
