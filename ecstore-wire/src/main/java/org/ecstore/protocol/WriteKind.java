package org.ecstore.protocol;

import org.ecstore.key.Bytes;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The byte that says what a write does to its key, in front of what it takes. Messages and ledger
 * records have the same kinds; their numbers are fixed for ever.
 */
public final class WriteKind {
  /** The key is deleted; nothing follows. */
  public static final int DELETE = 0;

  /** The value that follows is put. */
  public static final int PUT = 1;

  /** The operation whose number follows is applied to the value there is, with an operand. */
  public static final int OPERATION = 2;

  private WriteKind() {}

  /** Writes what a write does. */
  public static void write(WireWriter out, Mutation mutation) {
    if (mutation instanceof Mutation.Put put) {
      out.u8(PUT).bytes(put.bytes());
    } else if (mutation instanceof Mutation.Operation operation) {
      out.u8(OPERATION).u8(operation.op().number()).bytes(operation.operand());
    } else {
      out.u8(DELETE);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Mutation read(WireReader in) {
    return read(in, Integer.MAX_VALUE);
  }

  /**
   * As {@link #read(WireReader)}, with a value or an operand of a length up to a limit.
   *
   * @throws MalformedMessageException if it is of another kind, or an operand is none
   */
  public static Mutation read(WireReader in, int valueBytesMax) {
    int kind = in.u8();
    return switch (kind) {
      case DELETE -> Mutation.delete();
      case PUT -> new Mutation.Put(in.bytes(valueBytesMax));
      case OPERATION -> readOperation(in, valueBytesMax);
      default -> throw new MalformedMessageException("unknown kind of write: " + kind);
    };
  }

  private static Mutation readOperation(WireReader in, int operandBytesMax) {
    int number = in.u8();
    AtomicOp op =
        AtomicOp.of(number)
            .orElseThrow(
                () ->
                    new MalformedMessageException(
                        "operation " + number + " is not supported by this version"));
    Bytes operand = in.bytes(operandBytesMax);
    try {
      return new Mutation.Operation(op, operand);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(
          "no operand of " + op + ": " + operand.length() + " bytes");
    }
  }

  /** Passes by what {@link #write} wrote. */
  static void skip(WireReader in) {
    int kind = in.u8();
    if (kind == OPERATION) {
      in.u8();
    }
    if (kind != DELETE) {
      in.skipBytes();
    }
  }
}
