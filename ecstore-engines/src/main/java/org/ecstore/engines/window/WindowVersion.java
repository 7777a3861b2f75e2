package org.ecstore.engines.window;

import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.key.Bytes;
import org.ecstore.model.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * One version of a key in the window. Immutable, but for what is behind it, since versions that
 * have left the window are cut off, and for what becomes known of an operation (rule 28).
 *
 * <p>What an operation makes of the key follows from the versions behind it ({@link WindowValue}).
 * It is asked for only where every version at or below it is there, so it does not change once it
 * was found; a version that comes behind it all the same makes all those in front of it anew
 * ({@link WindowKey#put}), and nothing found is kept.
 */
final class WindowVersion {
  /** About what an operation's result costs beside the version, once it is found. */
  private static final int RESULT_BYTES = 48;

  private final long version;
  private final Mutation mutation;
  private volatile @Nullable WindowVersion older;

  /** What an operation on numbers has made of the key, once it is known. */
  private volatile @Nullable Bytes result;

  /** A version in front of others. */
  WindowVersion(long version, Mutation mutation, @Nullable WindowVersion older) {
    this.version = version;
    this.mutation = mutation;
    this.older = older;
    if (isNumeric() && older != null && older.isKnown()) {
      result = number(mutation.after(older.value()));
    }
  }

  static WindowVersion of(VersionedWrite write, @Nullable WindowVersion older) {
    return new WindowVersion(write.version().value(), write.mutation(), older);
  }

  /** Of another form it may be large, and is not counted. */
  private static @Nullable Bytes number(Optional<Bytes> value) {
    return value.filter(found -> found.length() == Long.BYTES).orElse(null);
  }

  /** This with others behind it. */
  WindowVersion before(@Nullable WindowVersion others) {
    return new WindowVersion(version, mutation, others);
  }

  long version() {
    return version;
  }

  Mutation mutation() {
    return mutation;
  }

  /** Whether the key is deleted by it. */
  boolean isDeletion() {
    return mutation instanceof Mutation.Delete;
  }

  /** Whether it is an operation. */
  boolean isOperation() {
    return mutation.isOperation();
  }

  /** Whether it is an operation on numbers. */
  boolean isNumeric() {
    return mutation instanceof Mutation.Operation operation && operation.op().isNumeric();
  }

  /** Whether it tells the value without what is behind it. */
  boolean isKnown() {
    return !mutation.isOperation() || result != null;
  }

  /** The value from here on; absent if the key is. Only of what is known. */
  Optional<Bytes> value() {
    Bytes found = result;
    return found != null ? Optional.of(found) : mutation.value();
  }

  /** What it makes of the key was found. */
  void found(Optional<Bytes> value) {
    if (isNumeric()) {
      result = number(value);
    }
  }

  /** The next older one. */
  @Nullable WindowVersion older() {
    return older;
  }

  /** Nothing is behind this any more. */
  void cutOlder() {
    older = null;
  }

  /** The bytes of its value or operand. */
  int bytes() {
    return bytes(mutation);
  }

  /** The bytes that a mutation takes here. */
  static int bytes(Mutation mutation) {
    return mutation.length() + (mutation.isOperation() ? RESULT_BYTES : 0);
  }
}
