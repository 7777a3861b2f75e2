package org.ecstore.engines.window;

import java.util.Objects;
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

  /** Nothing if there is a place, in which the value is that was put. */
  private final @Nullable Mutation mutation;

  private final OffHeapValues.@Nullable Place place;
  private volatile @Nullable WindowVersion older;

  /** What an operation on numbers has made of the key, once it is known. */
  private volatile @Nullable Bytes result;

  private WindowVersion(
      long version,
      @Nullable Mutation mutation,
      OffHeapValues.@Nullable Place place,
      @Nullable WindowVersion older) {
    this.version = version;
    this.mutation = mutation;
    this.place = place;
    this.older = older;
    if (mutation != null && isNumeric() && older != null && older.isKnown()) {
      result = number(mutation.after(older.value()));
    }
  }

  /** A version in front of others; its value is taken out of the heap. */
  static WindowVersion of(
      VersionedWrite write, @Nullable WindowVersion older, OffHeapValues values) {
    long version = write.version().value();
    OffHeapValues.Place place =
        write.mutation() instanceof Mutation.Put put ? values.put(put.bytes()) : null;
    return new WindowVersion(version, place == null ? write.mutation() : null, place, older);
  }

  /** A version with nothing behind it. */
  static WindowVersion alone(long version, Mutation mutation) {
    return new WindowVersion(version, mutation, null, null);
  }

  /** Of another form it may be large, and is not counted. */
  private static @Nullable Bytes number(Optional<Bytes> value) {
    return value.filter(found -> found.length() == Long.BYTES).orElse(null);
  }

  /** This with others behind it. */
  WindowVersion before(@Nullable WindowVersion others) {
    return new WindowVersion(version, mutation, place, others);
  }

  long version() {
    return version;
  }

  /** The operation, if it is one. */
  Optional<Mutation.Operation> operation() {
    return mutation instanceof Mutation.Operation operation
        ? Optional.of(operation)
        : Optional.empty();
  }

  /** Whether the key is deleted by it. */
  boolean isDeletion() {
    return mutation instanceof Mutation.Delete;
  }

  /** Whether it is an operation. */
  boolean isOperation() {
    return mutation instanceof Mutation.Operation;
  }

  /** Whether it is an operation on numbers. */
  boolean isNumeric() {
    return mutation instanceof Mutation.Operation operation && operation.op().isNumeric();
  }

  /** Whether it tells the value without what is behind it. */
  boolean isKnown() {
    return !isOperation() || result != null;
  }

  /** The value from here on; absent if the key is. Only of what is known. */
  Optional<Bytes> value() {
    Bytes found = result;
    if (found != null) {
      return Optional.of(found);
    }
    return mutation == null ? Optional.of(valueInPlace()) : mutation.value();
  }

  private Bytes valueInPlace() {
    return Objects.requireNonNull(place, "a version has an operation or a place").bytes();
  }

  /** It leaves the window: once, of all that stand for it ({@link #before}). */
  void leave() {
    if (place != null) {
      place.leave();
    }
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
    if (place != null) {
      return place.length();
    }
    return mutation == null ? 0 : bytes(mutation);
  }

  /** The bytes that a mutation takes here. */
  static int bytes(Mutation mutation) {
    return mutation.length() + (mutation.isOperation() ? RESULT_BYTES : 0);
  }
}
