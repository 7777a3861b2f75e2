package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.BoundedKryo;
import org.ecstore.client.kryo.declared.DeclaredSchema;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;

/**
 * Java records as values, by Kryo. Every record and enum is registered: bytes from the store only
 * ever become types that the application named.
 *
 * <pre>{@code
 * record Address(String street, String city) {}
 * record User(String name, Instant since, Address home) {}
 *
 * static final Table<User> USERS = Table.of("users", KryoCodec.of(User.class, Address.class));
 * }</pre>
 *
 * <p>{@link Codec#record} finds the types within by itself; this one is for tables that have it.
 *
 * <p>A component is a primitive, its box or an array of it; String, BigInteger, BigDecimal, UUID,
 * URI, Bytes, or a type of {@code java.time}; an Optional, List, Set, Map, SortedSet or SortedMap;
 * or a record or enum that is named here too. Null is a value of each but primitives.
 *
 * <p>Components and constants are stored by name, so their order may change and types may move to
 * other packages. Of what is stored
 *
 * <ul>
 *   <li>a component that was added is null, 0 or false, and empty if it is an Optional or is
 *       declared as a List, Set, Map or the like;
 *   <li>a component that was removed is skipped, if {@link org.ecstore.client.schema.Removed} says
 *       so;
 *   <li>a component, constant or type that was renamed is found by its former name in {@link
 *       org.ecstore.client.schema.StoredAs};
 *   <li>an integer, or a float, may become a wider one, and a primitive its box or the reverse;
 *   <li>anything else is refused by {@link #decode}, before a value is made of it.
 * </ul>
 *
 * <p>Values that were stored before there were names are still read. They are told apart by their
 * first byte, and do not show such changes: see {@link org.ecstore.client.schema.OriginalShape}.
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class KryoCodec<V> implements Codec<V> {
  private final BoundedKryo kryo;

  /** The name of the format in {@link ValueSchema}. */
  static final String FORMAT = "record of numbered types";

  private final Class<V> type;
  private final DeclaredSchema schema;

  private KryoCodec(BoundedKryo kryo, Class<V> type) {
    this.kryo = kryo;
    this.type = type;
    this.schema = kryo.schema(type);
  }

  /**
   * Values of a record or enum and of others within it, numbered in the order given: 100, 101, and
   * so on. More are added at the end.
   *
   * @throws WrongArgumentException if one is neither a record, an enum nor an array of them, two
   *     are stored under one name, or what one declares of its storage contradicts itself
   */
  public static <V> KryoCodec<V> of(Class<V> type, Class<?>... within) {
    // Longer values than the store takes are written all the same, for the limit to be named there.
    BoundedKryo.Builder builder = BoundedKryo.builder().bytesMax(Limits.TRANSACTION_BYTES_MAX);
    try {
      int id = BoundedKryo.APPLICATION_ID_MIN;
      builder.register(type, id);
      for (Class<?> each : within) {
        id++;
        builder.register(each, id);
      }
      return of(type, builder.build());
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "the types cannot be registered",
          e,
          "type",
          type.getName(),
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  /** Values of a type that a serializer knows, for numbers and limits of one's own. */
  public static <V> KryoCodec<V> of(Class<V> type, BoundedKryo kryo) {
    return new KryoCodec<>(kryo, type);
  }

  @Override
  public Bytes encode(V value) {
    try {
      return kryo.encode(value);
    } catch (SerialException e) {
      throw new WrongArgumentException(
          "the value cannot be written", e, "type", type.getName(), "why", why(e));
    }
  }

  /**
   * A stored value.
   *
   * @throws WrongArgumentException if it is none of this type, or the type has changed since in a
   *     way that is not declared; the detail {@code why} says what to declare
   */
  @Override
  public V decode(Bytes encoded) {
    try {
      return kryo.decode(encoded, type);
    } catch (SerialException e) {
      throw new WrongArgumentException(
          "this codec cannot read the stored value", e, "type", type.getName(), "why", why(e));
    }
  }

  /** Of format {@link #FORMAT}, by its types. */
  @Override
  public Optional<ValueSchema> schema() {
    return Optional.of(schema.written(FORMAT));
  }

  /** As {@link #decode} would refuse them, as far as types tell it. */
  @Override
  public Optional<String> unreadable(ValueSchema stored) {
    return unreadable(stored, List.of(FORMAT, RecordCodec.FORMAT));
  }

  Optional<String> unreadable(ValueSchema stored, List<String> formats) {
    return Codec.otherFormat(stored, formats).or(() -> schema.unreadable(stored));
  }

  private static String why(SerialException e) {
    return String.valueOf(e.getMessage());
  }
}
