package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.BoundedKryo;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Java records as values: of {@link Codec#record}. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class RecordCodec<V> implements Codec<V> {
  /** The name of the format in {@link ValueSchema}. */
  static final String FORMAT = "record";

  private final KryoCodec<V> named;
  private final @Nullable KryoCodec<V> former;

  private RecordCodec(KryoCodec<V> named, @Nullable KryoCodec<V> former) {
    this.named = named;
    this.former = former;
  }

  static <V> RecordCodec<V> of(Class<V> type, Class<?>... more) {
    try {
      Class<?>[] types = BoundedKryo.typesOf(type, more);
      if (types.length == 0) {
        throw new WrongArgumentException(
            "it is neither a record, an enum nor a sealed interface of records", null);
      }
      // Longer values than the store takes are written all the same, for the limit to be named
      // there.
      BoundedKryo kryo = BoundedKryo.named(Limits.TRANSACTION_BYTES_MAX, types);
      return new RecordCodec<>(KryoCodec.of(type, kryo), null);
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "values of the type cannot be stored",
          e,
          "type",
          type.getName(),
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  /**
   * This codec, which reads besides what another has written: values that were stored before the
   * table had this one.
   *
   * <pre>{@code
   * Codec.record(User.class).alsoReading(KryoCodec.of(User.class, Address.class))
   * }</pre>
   */
  public RecordCodec<V> alsoReading(KryoCodec<V> written) {
    return new RecordCodec<>(named, written);
  }

  @Override
  public Bytes encode(V value) {
    return named.encode(value);
  }

  @Override
  public Optional<ValueSchema> schema() {
    return named
        .schema()
        .map(types -> new ValueSchema(List.of(FORMAT), types.values(), types.types()));
  }

  /** As {@link #decode} would refuse them, as far as types tell it. */
  @Override
  public Optional<String> unreadable(ValueSchema stored) {
    return named.unreadable(
        stored, former == null ? List.of(FORMAT) : List.of(FORMAT, KryoCodec.FORMAT));
  }

  /**
   * A stored value.
   *
   * @throws WrongArgumentException if it is none of this type, or the type has changed since in a
   *     way that is not declared; the detail {@code why} says what to declare
   */
  @Override
  public V decode(Bytes encoded) {
    KryoCodec<V> other = former;
    if (other != null && encoded.length() > 0 && encoded.array()[0] != BoundedKryo.NAMED_FORMAT) {
      return other.decode(encoded);
    }
    return named.decode(encoded);
  }
}
