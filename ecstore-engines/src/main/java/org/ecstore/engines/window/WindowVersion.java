package org.ecstore.engines.window;

import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One version of a key in the window. Immutable, but for what is behind it: versions that have left
 * the window are cut off.
 */
final class WindowVersion {
  /** What the version does to the one behind it. */
  enum Kind {
    /** The key has this value from here on. */
    PUT,
    /** The key is absent from here on. */
    DELETE
  }

  private final long version;
  private final Kind kind;
  private final Bytes operand;
  private volatile @Nullable WindowVersion older;

  /**
   * A version in front of others.
   *
   * @param operand what the kind works with: the value of a put
   */
  WindowVersion(long version, Kind kind, Bytes operand, @Nullable WindowVersion older) {
    this.version = version;
    this.kind = kind;
    this.operand = operand;
    this.older = older;
  }

  static WindowVersion of(VersionedWrite write, @Nullable WindowVersion older) {
    return new WindowVersion(
        write.version().value(),
        write.value().isPresent() ? Kind.PUT : Kind.DELETE,
        write.value().orElse(Bytes.EMPTY),
        older);
  }

  /** This with others behind it. */
  WindowVersion before(@Nullable WindowVersion others) {
    return new WindowVersion(version, kind, operand, others);
  }

  long version() {
    return version;
  }

  Kind kind() {
    return kind;
  }

  /** The value from here on; absent if the key is. */
  Optional<Bytes> value() {
    return switch (kind) {
      case PUT -> Optional.of(operand);
      case DELETE -> Optional.empty();
    };
  }

  /** The next older one. */
  @Nullable WindowVersion older() {
    return older;
  }

  /** Nothing is behind this any more. */
  void cutOlder() {
    older = null;
  }

  /** The bytes of the operand. */
  int operandBytes() {
    return operand.length();
  }
}
