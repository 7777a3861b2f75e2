package org.ecstore.engines.window;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/**
 * What a version makes of its key (rule 28), by one walk from it to a version that tells the value
 * alone, or else to where the store's row is beneath. What is behind a version may be cut off at
 * any time: so it is one walk, and what it has found is kept here.
 *
 * <p>Where the row is needed it is one that was read by a reader who had pinned the window before.
 * What is cut off beside this reader was durable when it began, so the row has it in it.
 */
final class WindowValue {
  /** Whether a row has an operation in it. */
  @FunctionalInterface
  interface TakenIn {
    boolean test(long rowVersion, long version);
  }

  private final WindowVersion version;

  /** Operations that are not known, oldest first. */
  private final Deque<WindowVersion> open;

  /** What tells the value alone. */
  private final @Nullable WindowVersion base;

  private WindowValue(
      WindowVersion version, Deque<WindowVersion> open, @Nullable WindowVersion base) {
    this.version = version;
    this.open = open;
    this.base = base;
  }

  static WindowValue of(WindowVersion version) {
    Deque<WindowVersion> open = new ArrayDeque<>();
    WindowVersion each = version;
    while (each != null && !each.isKnown()) {
      open.push(each);
      each = each.older();
    }
    return new WindowValue(version, open, each);
  }

  WindowVersion version() {
    return version;
  }

  /** Whether the window tells the value, and no row is needed. */
  boolean isWithinWindow() {
    return base != null;
  }

  /** The value, where the window tells it. */
  Optional<Bytes> value() {
    Optional<Bytes> before = base == null ? Optional.empty() : base.value();
    Optional<Bytes> value = Mutation.applied(operations(open), before);
    version.found(value);
    return value;
  }

  /**
   * The value over the store's row, if the window does not tell it alone.
   *
   * @param row what was read of the store, or that nothing is there
   * @param mayKeep whether what is found may be kept: not if the interval may have been cleared
   *     since the row was read
   */
  Optional<Bytes> over(Optional<Row> row, TakenIn isTakenIn, boolean mayKeep) {
    if (isWithinWindow()) {
      return value();
    }
    long rowVersion = row.map(found -> found.version().value()).orElse(-1L);
    List<WindowVersion> left = new ArrayList<>(open.size());
    for (WindowVersion each : open) {
      if (row.isEmpty() || !isTakenIn.test(rowVersion, each.version())) {
        left.add(each);
      }
    }
    Optional<Bytes> value = Mutation.applied(operations(left), row.map(Row::value));
    if (mayKeep && rowVersion <= version.version()) {
      version.found(value);
    }
    return value;
  }

  private static List<Mutation.Operation> operations(Iterable<WindowVersion> versions) {
    List<Mutation.Operation> operations = new ArrayList<>();
    for (WindowVersion each : versions) {
      each.operation().ifPresent(operations::add);
    }
    return operations;
  }
}
