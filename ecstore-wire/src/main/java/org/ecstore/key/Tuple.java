package org.ecstore.key;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sequence of elements that makes an ordered key: strings, longs, UUIDs, instants,
 * byte strings, booleans, doubles, dates, decimals and null, each in ascending order or, by {@link
 * #desc}, in descending. The unsigned byte order of {@link #encode} is the order of tuples, {@link
 * #compareTo}: element by element, a tuple before its extensions.
 *
 * <p>Within a type: strings by code point, longs, instants, dates and decimals by value, UUIDs as
 * unsigned 128-bit numbers, byte strings as {@link Bytes}, false before true, doubles as {@link
 * Double#compare}. Across types: null, byte strings, strings, longs, UUIDs, instants, booleans,
 * doubles, dates, decimals, descending elements: 2 and 2.0 are two keys. The encoding is that of
 * {@link TupleElements}; two different tuples never have the same one, and none is a prefix of
 * another unless the tuple is.
 */
public final class Tuple implements Comparable<Tuple> {
  /** No elements: the prefix of every tuple. */
  public static final Tuple EMPTY = new Tuple(new Object[0]);

  /** Follows an encoded tuple in no encoding, and is above all that does. */
  private static final Bytes ABOVE_EVERY_ELEMENT = Bytes.of(TupleElements.ESCAPED);

  /** Each as {@link #element} gives it. */
  private final @Nullable Object[] elements;

  private Tuple(@Nullable Object[] elements) {
    this.elements = elements;
  }

  /**
   * A tuple of elements that are String, Long, UUID, Instant, LocalDate, Boolean, Double, Bytes,
   * {@link #desc} of one of them, or null. Integer, Short and Byte are kept as Long, byte[] is
   * copied, a BigDecimal is kept without trailing zeros, and of an enum's constant the name is
   * kept, so that it may change its place among the others.
   *
   * @throws WrongArgumentException if one is of another type, a string with half of a surrogate
   *     pair, which UTF-8 cannot carry, or a decimal of more digits than a key can hold
   */
  public static Tuple of(@Nullable Object... elements) {
    if (elements.length == 0) {
      return EMPTY;
    }
    @Nullable Object[] own = new @Nullable Object[elements.length];
    for (int i = 0; i < own.length; i++) {
      own[i] = TupleElements.elementOf(i, elements[i]);
    }
    return new Tuple(own);
  }

  /**
   * An element that stands in descending order: what is greater comes first.
   *
   * @param element as for {@link #of}, but not descending itself
   */
  public static Descending desc(@Nullable Object element) {
    return Descending.of(element);
  }

  /**
   * The tuple that {@link #encode()} gave these bytes for.
   *
   * @throws MalformedTupleException if there is none
   */
  public static Tuple decode(Bytes encoded) {
    return new Tuple(TupleReader.decode(encoded, 0));
  }

  /**
   * The tuple that {@link #encode(Bytes)} gave these bytes for.
   *
   * @throws MalformedTupleException if they do not begin with the prefix, or no tuple follows it
   */
  public static Tuple decode(Bytes prefix, Bytes encoded) {
    if (!encoded.startsWith(prefix)) {
      throw new MalformedTupleException("a key without the prefix " + prefix + ": " + encoded);
    }
    return new Tuple(TupleReader.decode(encoded, prefix.length()));
  }

  /**
   * The tuple whose encoding these bytes have from an index on.
   *
   * @param from at most their length
   * @throws MalformedTupleException if there is none
   * @throws WrongArgumentException if there is no such index
   */
  public static Tuple decode(Bytes encoded, int from) {
    if (from < 0 || from > encoded.length()) {
      throw new WrongArgumentException(
          "no tuple begins outside of the bytes", null, "from", from, "bytes", encoded.length());
    }
    return new Tuple(TupleReader.decode(encoded, from));
  }

  /**
   * The text that a key begins with, as a table's name, whatever follows it, a bound of an interval
   * included that is no key; absent if it begins with something else.
   */
  public static Optional<String> firstText(Bytes encoded) {
    try {
      return TupleReader.firstText(encoded);
    } catch (MalformedTupleException e) {
      return Optional.empty();
    }
  }

  /** The key of this tuple. */
  public Bytes encode() {
    return encode(Bytes.EMPTY);
  }

  /** The key of this tuple behind a prefix, such as that of a table. */
  public Bytes encode(Bytes prefix) {
    return TupleWriter.encode(prefix, elements);
  }

  /** The keys of all tuples that begin with this one's elements, itself among them. */
  public KeyRange prefixRange() {
    return prefixRange(Bytes.EMPTY);
  }

  /** The keys, behind a prefix, of all tuples that begin with this one's elements. */
  public KeyRange prefixRange(Bytes prefix) {
    Bytes start = encode(prefix);
    return KeyRange.of(start, start.concat(ABOVE_EVERY_ELEMENT));
  }

  /**
   * The keys, behind a prefix, of all tuples that begin with this one's elements, the last of which
   * is the beginning of a text.
   *
   * @throws WrongArgumentException if the last element is not a text in ascending order
   */
  public KeyRange textRange(Bytes prefix) {
    if (elements.length == 0 || !(elements[elements.length - 1] instanceof String)) {
      throw new WrongArgumentException(
          "the last element must be the beginning of a text", null, "tuple", this);
    }
    Bytes whole = encode(prefix);
    // Without the byte that ends it; what goes on is of UTF-8 or ends it, all below ff.
    Bytes start = Bytes.copyOf(Arrays.copyOf(whole.array(), whole.length() - 1));
    return KeyRange.of(start, start.concat(ABOVE_EVERY_ELEMENT));
  }

  /** How many elements there are. */
  public int size() {
    return elements.length;
  }

  /** This tuple with more elements behind, as for {@link #of}. */
  public Tuple append(@Nullable Object... more) {
    return concat(of(more));
  }

  /** This tuple followed by another's elements. */
  public Tuple concat(Tuple other) {
    @Nullable Object[] joined = Arrays.copyOf(elements, elements.length + other.elements.length);
    System.arraycopy(other.elements, 0, joined, elements.length, other.elements.length);
    return new Tuple(joined);
  }

  /**
   * The tuple of this one's first elements.
   *
   * @param count how many, from 0 to {@link #size}
   */
  public Tuple first(int count) {
    if (count < 0 || count > elements.length) {
      throw new WrongArgumentException(
          "the tuple has not so many elements", null, "count", count, "tuple", this);
    }
    return new Tuple(Arrays.copyOf(elements, count));
  }

  /** Whether this tuple's first elements are the other's. */
  public boolean startsWith(Tuple other) {
    return other.elements.length <= elements.length
        && Arrays.equals(
            elements, 0, other.elements.length, other.elements, 0, other.elements.length);
  }

  /**
   * An element as it is kept: a String, Long, UUID, Instant, Bytes, Boolean, Double, LocalDate,
   * BigDecimal, {@link Descending} or null.
   *
   * @throws WrongArgumentException if there is none of this index
   */
  public @Nullable Object element(int index) {
    if (index < 0 || index >= elements.length) {
      throw new WrongArgumentException(
          "the tuple has no such element", null, "element", index, "tuple", this);
    }
    return elements[index];
  }

  /** Whether an element is null, or {@link #desc} of it. */
  public boolean isNull(int index) {
    return value(index) == null;
  }

  /** An element, or what is within a descending one: see {@link #element}. */
  public @Nullable Object value(int index) {
    Object element = element(index);
    return element instanceof Descending descending ? descending.element() : element;
  }

  /**
   * A string element; this and the other typed accessors give what is within a descending one, and
   * throw WrongArgumentException if the element is of another type, or there is none.
   */
  public String string(int index) {
    return as(String.class, "a string", index);
  }

  /** A long element. */
  public long number(int index) {
    return as(Long.class, "a long", index);
  }

  /** A UUID element. */
  public UUID uuid(int index) {
    return as(UUID.class, "a UUID", index);
  }

  /** An instant element. */
  public Instant instant(int index) {
    return as(Instant.class, "an instant", index);
  }

  /** A byte string element. */
  public Bytes bytes(int index) {
    return as(Bytes.class, "a byte string", index);
  }

  /** A boolean element. */
  public boolean bool(int index) {
    return as(Boolean.class, "a boolean", index);
  }

  /** A double element. */
  public double real(int index) {
    return as(Double.class, "a double", index);
  }

  /** A decimal element, without trailing zeros. */
  public BigDecimal decimal(int index) {
    return as(BigDecimal.class, "a decimal", index);
  }

  /** A date element. */
  public LocalDate date(int index) {
    return as(LocalDate.class, "a date", index);
  }

  /**
   * The constant of an enum whose name a string element is.
   *
   * @throws WrongArgumentException also if the enum has no such constant
   */
  public <E extends Enum<E>> E constant(int index, Class<E> type) {
    String name = string(index);
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new WrongArgumentException(
          "the enum has no such constant", e, "element", index, "enum", type.getName(), "is", name);
    }
  }

  private <T> T as(Class<T> type, String name, int index) {
    Object element = value(index);
    if (!type.isInstance(element)) {
      throw new WrongArgumentException(
          "the element of the tuple is not " + name,
          null,
          "element",
          index,
          "is",
          TupleElements.typeName(element),
          "tuple",
          this);
    }
    return type.cast(element);
  }

  @Override
  public int compareTo(Tuple other) {
    int both = Math.min(elements.length, other.elements.length);
    for (int i = 0; i < both; i++) {
      int order = TupleElements.compare(elements[i], other.elements[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(elements.length, other.elements.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Tuple that && Arrays.equals(elements, that.elements);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(elements);
  }

  /** As {@code ("a", 1, null)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < elements.length; i++) {
      text.append(i == 0 ? "" : ", ").append(TupleElements.text(elements[i]));
    }
    return text.append(')').toString();
  }
}
