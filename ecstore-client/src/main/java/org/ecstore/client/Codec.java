package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/**
 * How the values of a table become bytes and back. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public interface Codec<V> {
  /** The bytes of a value, never null; the caller owns them. */
  Bytes encode(V value);

  /**
   * The value of bytes that {@link #encode} gave, never null.
   *
   * @throws org.ecstore.client.error.WrongArgumentException if it gave no such bytes
   */
  V decode(Bytes encoded);

  /**
   * What its values consist of, for the store's catalog: a codec of one's own need not say, and is
   * held against nothing then.
   */
  default Optional<ValueSchema> schema() {
    return Optional.empty();
  }

  /**
   * Why it cannot read values that are stored so; absent if it can, or cannot tell. The catalog
   * asks before a table is opened.
   */
  default Optional<String> unreadable(ValueSchema stored) {
    return schema().flatMap(own -> otherFormat(stored, own.formats()));
  }

  /** Why none of these formats is that of stored values. */
  static Optional<String> otherFormat(ValueSchema stored, List<String> formats) {
    return stored.formats().stream()
        .filter(each -> !formats.contains(each))
        .findFirst()
        .map(
            each ->
                "values are stored as "
                    + each
                    + ", and this program reads "
                    + String.join(" and ", formats));
  }

  /** Values are bytes. */
  static Codec<Bytes> bytes() {
    return new Codec<>() {
      @Override
      public Bytes encode(Bytes value) {
        return value;
      }

      @Override
      public Bytes decode(Bytes encoded) {
        return encoded;
      }
    };
  }

  /** Values are arrays, copied on the way in and out. */
  static Codec<byte[]> byteArrays() {
    return new Codec<>() {
      @Override
      public Bytes encode(byte[] value) {
        return Bytes.copyOf(value);
      }

      @Override
      public byte[] decode(Bytes encoded) {
        return encoded.array().clone();
      }
    };
  }

  /**
   * Values are text, in UTF-8. Text with half of a pair of surrogates is refused, and so are bytes
   * that are no UTF-8.
   */
  static Codec<String> utf8() {
    return new Utf8Codec();
  }

  /**
   * Values are whole numbers: 8 bytes, the highest first. Those of {@link Transaction#add} and the
   * like.
   */
  static Codec<Long> longs() {
    return LongCodec.INSTANCE;
  }

  /**
   * Values are lists, each element by its own codec: those of {@link Transaction#appendIfAbsent}.
   *
   * @param elements gives equal bytes for equal elements, or an element is appended twice
   */
  static <E> Codec<List<E>> lists(Codec<E> elements) {
    return new ListCodec<>(elements);
  }

  /**
   * Values are records, or enums, or of a sealed interface of records. What they consist of is
   * found by what their components declare.
   *
   * <pre>{@code
   * record Address(String street, String city) {}
   * record User(String name, Instant since, Optional<Address> home, @Default("en") String language) {}
   *
   * static final Table<User> USERS = Table.of("users", Codec.record(User.class));
   * }</pre>
   *
   * <p>A component is a primitive, its box or an array of it; String, BigInteger, BigDecimal, UUID,
   * URI, Bytes, or a type of {@code java.time}; an Optional, List, Set, Map, SortedSet or SortedMap
   * of those; a record, an enum, an array of either, or a sealed interface of records. Null is a
   * value of each but primitives.
   *
   * <p>Types, components and constants are stored by name, so their order may change and types may
   * move to other packages. Of what is stored
   *
   * <ul>
   *   <li>a component that was added is what {@link org.ecstore.client.schema.Default} says;
   *       without it null, 0 or false, and empty if it is an Optional or is declared as a List,
   *       Set, Map or the like;
   *   <li>a component that was removed is skipped, if {@link org.ecstore.client.schema.Removed}
   *       says so;
   *   <li>a component, constant or type that was renamed is found by its former name in {@link
   *       org.ecstore.client.schema.StoredAs};
   *   <li>an integer, or a float, may become a wider one, and a primitive its box or the reverse;
   *   <li>anything else is refused by {@link #decode}, before a value is made of it.
   * </ul>
   *
   * @param more records and enums that stand where an interface is declared that is not sealed, or
   *     Object
   * @throws WrongArgumentException if values of the type, or of one within it, cannot be stored; it
   *     says which and why
   */
  static <V> RecordCodec<V> record(Class<V> type, Class<?>... more) {
    return RecordCodec.of(type, more);
  }

  /**
   * There is nothing but keys: values take no bytes. See {@link Transaction#put(Table,
   * org.ecstore.key.Tuple)}.
   */
  static Codec<Nothing> nothing() {
    return new Codec<>() {
      @Override
      public Optional<ValueSchema> schema() {
        return Optional.of(ValueSchema.of("nothing"));
      }

      @Override
      public Bytes encode(Nothing value) {
        return Bytes.EMPTY;
      }

      @Override
      public Nothing decode(Bytes encoded) {
        if (encoded.length() > 0) {
          throw new WrongArgumentException(
              "there is a value where only keys are stored", null, "bytes", encoded.length());
        }
        return Nothing.NOTHING;
      }
    };
  }
}
