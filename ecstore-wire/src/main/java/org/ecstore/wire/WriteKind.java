package org.ecstore.wire;

import java.util.Optional;
import org.ecstore.key.Bytes;

/**
 * The byte that says what a write does to its key, in front of what it takes. Messages and ledger
 * records have the same kinds; their numbers are fixed for ever.
 */
public final class WriteKind {
  /** The key is deleted; nothing follows. */
  public static final int DELETE = 0;

  /** The value that follows is put. */
  public static final int PUT = 1;

  /** Reserved: the operand that follows is applied to the value there is. */
  public static final int OPERAND = 2;

  private WriteKind() {}

  /** Writes a put of a value, or a delete if it is absent. */
  public static void write(WireWriter out, Optional<Bytes> value) {
    if (value.isPresent()) {
      out.u8(PUT).bytes(value.get());
    } else {
      out.u8(DELETE);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Optional<Bytes> read(WireReader in) {
    return read(in, Integer.MAX_VALUE);
  }

  /**
   * As {@link #read(WireReader)}, with a value of a length up to a limit.
   *
   * @throws MalformedMessageException if it is of another kind
   */
  public static Optional<Bytes> read(WireReader in, int valueBytesMax) {
    int kind = in.u8();
    return switch (kind) {
      case DELETE -> Optional.empty();
      case PUT -> Optional.of(in.bytes(valueBytesMax));
      case OPERAND ->
          throw new MalformedMessageException(
              "operands are not supported by this version: put the value or delete the key");
      default -> throw new MalformedMessageException("unknown kind of write: " + kind);
    };
  }
}
