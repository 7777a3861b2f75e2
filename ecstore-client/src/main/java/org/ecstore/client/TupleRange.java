package org.ecstore.client;

import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;

/**
 * Which keys of a table to scan. Ranges are half-open: the start belongs to them, the end does not.
 */
public final class TupleRange {
  private static final TupleRange ALL =
      new TupleRange(Tuple.EMPTY, Optional.empty(), Optional.empty());

  private final Tuple prefix;

  /** Whether the last element of the prefix is the beginning of a text. */
  private final boolean isTextOpen;

  private final Optional<Tuple> start;
  private final Optional<Tuple> end;

  private TupleRange(Tuple prefix, Optional<Tuple> start, Optional<Tuple> end) {
    this(prefix, false, start, end);
  }

  private TupleRange(Tuple prefix, boolean isTextOpen, Optional<Tuple> start, Optional<Tuple> end) {
    this.prefix = prefix;
    this.isTextOpen = isTextOpen;
    this.start = start;
    this.end = end;
  }

  /** Every key of the table. */
  public static TupleRange all() {
    return ALL;
  }

  /** Every key that begins with the tuple's elements. */
  public static TupleRange prefix(Tuple prefix) {
    return new TupleRange(prefix, Optional.empty(), Optional.empty());
  }

  /**
   * Every key that begins with the tuple's elements, the last of which is the beginning of a text:
   * {@code startingWith(Tuple.of("de", "Ber"))} has the keys ("de", "Berlin") and ("de", "Bern",
   * 7).
   *
   * @throws WrongArgumentException if the last element is not a text in ascending order
   */
  public static TupleRange startingWith(Tuple beginning) {
    if (beginning.size() == 0 || !(beginning.element(beginning.size() - 1) instanceof String)) {
      throw new WrongArgumentException(
          "the last element must be the beginning of a text: of other keys take prefix",
          null,
          "beginning",
          beginning);
    }
    return new TupleRange(beginning, true, Optional.empty(), Optional.empty());
  }

  /** A key and none else. */
  public static TupleRange only(Tuple key) {
    return new TupleRange(Tuple.EMPTY, Optional.of(key), Optional.of(key));
  }

  /** From start, inclusive, to the end of the table. */
  public static TupleRange from(Tuple start) {
    return new TupleRange(Tuple.EMPTY, Optional.of(start), Optional.empty());
  }

  /** From the beginning of the table to end, exclusive. */
  public static TupleRange before(Tuple end) {
    return between(Tuple.EMPTY, end);
  }

  /**
   * From start, inclusive, to end, exclusive.
   *
   * @throws WrongArgumentException if start is not below end
   */
  public static TupleRange between(Tuple start, Tuple end) {
    if (start.compareTo(end) >= 0) {
      throw new WrongArgumentException(
          "the range is empty or inverted", null, "start", start, "end", end);
    }
    return new TupleRange(Tuple.EMPTY, Optional.of(start), Optional.of(end));
  }

  /** What of this is at a key of it and behind. */
  TupleRange startingAt(Tuple key) {
    return new TupleRange(prefix, isTextOpen, Optional.of(key), end);
  }

  /** The keys of the store that this means in a table. */
  KeyRange in(Table<?> table) {
    KeyRange all = isTextOpen ? table.textRange(prefix) : table.range(prefix);
    Bytes from = start.isPresent() ? table.key(start.get()) : all.start();
    if (isOne()) {
      return KeyRange.single(from);
    }
    Optional<Bytes> to = end.isPresent() ? Optional.of(table.key(end.get())) : all.end();
    return KeyRange.between(from, to);
  }

  /**
   * The keys of the store that this means of an index's entries. One value means all entries that
   * begin with it.
   */
  KeyRange of(Bytes entries) {
    KeyRange all = isTextOpen ? prefix.textRange(entries) : prefix.prefixRange(entries);
    BytesTransaction.checkKey(all.start());
    if (start.isPresent() && isOne()) {
      KeyRange one = start.get().prefixRange(entries);
      BytesTransaction.checkKey(one.start());
      return one;
    }
    Bytes from = start.isPresent() ? start.get().encode(entries) : all.start();
    BytesTransaction.checkKey(from);
    Optional<Bytes> to = end.isPresent() ? Optional.of(end.get().encode(entries)) : all.end();
    end.ifPresent(value -> BytesTransaction.checkKey(value.encode(entries)));
    return KeyRange.between(from, to);
  }

  private boolean isOne() {
    return start.isPresent() && start.equals(end);
  }

  @Override
  public String toString() {
    if (isOne()) {
      return "only " + start.get();
    }
    if (start.isEmpty()) {
      return prefix.size() == 0 ? "all" : (isTextOpen ? "starting with " : "") + prefix + "...";
    }
    return "[" + start.get() + ", " + end.map(Tuple::toString).orElse("end") + ")";
  }
}
