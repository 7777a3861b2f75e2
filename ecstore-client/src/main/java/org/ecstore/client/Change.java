package org.ecstore.client;

import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * What a commit did to one record of a table. Values are decoded when they are asked for.
 *
 * @param <V> the type of the values
 */
public final class Change<V> {
  /** What was done. */
  public enum Kind {
    /** A value was put. */
    PUT,
    /** The record was deleted. */
    DELETE,
    /** A new value was made of the one that was there, as by {@link Transaction#add}. */
    OPERATION
  }

  private final Table<V> table;
  private final Bytes at;
  private final Kind kind;
  private final Known after;
  private final Known before;

  /** What is known of a value: nothing if it was not asked for, or is no longer kept. */
  record Known(boolean isAsked, boolean isKept, @Nullable Bytes value) {
    static final Known NOT_ASKED = new Known(false, false, null);
    static final Known NOT_KEPT = new Known(true, false, null);

    static Known of(@Nullable Bytes value) {
      return new Known(true, true, value);
    }
  }

  Change(Table<V> table, Bytes at, Kind kind, Known after, Known before) {
    this.table = table;
    this.at = at;
    this.kind = kind;
    this.after = after;
    this.before = before;
  }

  /** The key of the record. */
  public Tuple key() {
    return table.tuple(at);
  }

  /** What was done. */
  public Kind kind() {
    return kind;
  }

  /**
   * The value that the record has from this commit on; absent if it was deleted.
   *
   * @throws WrongArgumentException if an operation made it, and it is no longer kept, as {@link
   *     #isValueKept} says; or if the table's codec cannot read it
   */
  public Optional<V> value() {
    return decoded(after);
  }

  /**
   * The value that the record had before this commit; absent if it had none.
   *
   * @throws WrongArgumentException if it was not asked for by {@link Changes#withBefore}, is no
   *     longer kept, as {@link #isBeforeKept} says, or the table's codec cannot read it
   */
  public Optional<V> before() {
    if (!before.isAsked()) {
      throw new WrongArgumentException(
          "values from before are told of changes that were asked for with withBefore()",
          null,
          "table",
          table.name());
    }
    return decoded(before);
  }

  /**
   * Whether {@link #value} is known: always, but of an operation that was made longer ago than
   * versions are kept.
   */
  public boolean isValueKept() {
    return after.isKept();
  }

  /** Whether {@link #before} is known: versions are kept for a shorter time than changes. */
  public boolean isBeforeKept() {
    return before.isKept();
  }

  /** The bytes that were put, or that an operation made; absent if there are none. */
  Optional<Bytes> bytes() {
    return Optional.ofNullable(after.value());
  }

  private Optional<V> decoded(Known known) {
    if (!known.isKept()) {
      throw new WrongArgumentException(
          "the value at that commit is no longer kept: ask first, and read what is there now",
          null,
          "table",
          table.name(),
          "key",
          key());
    }
    return Optional.ofNullable(known.value()).map(bytes -> table.decode(at, bytes));
  }

  @Override
  public String toString() {
    return kind + " " + key() + " of " + table;
  }
}
