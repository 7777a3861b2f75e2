package org.ecstore.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A name for a contiguous range of keys, and how its values become bytes. Nothing has to be created
 * in the store: a table is there as soon as something is in it; what has indexes is opened by
 * {@link Catalog#open}. Make it once and keep it in a constant: but for the indexes that are
 * declared of it, it is immutable.
 *
 * @param <V> the type of the values
 */
public final class Table<V> {
  /** The longest name, in characters. */
  public static final int NAME_LENGTH_MAX = 255;

  private final String name;
  private final Codec<V> codec;
  private final Optional<Duration> lifetime;
  private final Map<String, Index<V>> indexes;
  private final Bytes prefix;

  private Table(
      String name, Codec<V> codec, Optional<Duration> lifetime, Map<String, Index<V>> indexes) {
    this.name = name;
    this.codec = codec;
    this.lifetime = lifetime;
    this.indexes = indexes;
    this.prefix = prefix(name);
  }

  /**
   * A table.
   *
   * @throws WrongArgumentException if the name is empty, longer than {@link #NAME_LENGTH_MAX}, or
   *     no text that UTF-8 can hold
   */
  public static <V> Table<V> of(String name, Codec<V> codec) {
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new WrongArgumentException(
          "a table's name is of 1 to " + NAME_LENGTH_MAX + " characters", null, "name", name);
    }
    return new Table<>(name, codec, Optional.empty(), new ConcurrentHashMap<>());
  }

  private static Bytes prefix(String name) {
    try {
      return Tuple.of(name).encode();
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "the table's name has half of a pair of surrogates", e, "name", name);
    }
  }

  /**
   * The same table, its records deleted some time after they were written last.
   *
   * <pre>{@code
   * static final Table<Cart> CARTS =
   *     Table.of("carts", Codec.record(Cart.class)).expiringAfter(Duration.ofDays(1));
   * }</pre>
   *
   * <p>Each write begins a lifetime anew, {@link Transaction#update} and {@link Transaction#upsert}
   * too: that of the table, or the one that {@link Transaction#put(Table, Tuple, Object, Duration)}
   * names. A record that is over is there until a sweep deletes it, so that all who read at one
   * moment see the same: usually within a sixteenth of its lifetime and a minute. Every store that
   * has written a record with a lifetime sweeps, for all tables, in small transactions ({@link
   * EcStoreOptions#sweepEvery}); {@link EcStore#sweep} does it at once. Times are by the clocks of
   * the clients that write and sweep: one that is an hour ahead deletes all an hour too soon.
   *
   * <p>All programs that use the table say so: one without a lifetime reads what was written with
   * one as it is stored, which most codecs refuse. Records that are there already, without one, are
   * read and stay for ever. An expiring record is two writes of a transaction, its key has some 30
   * bytes less room than elsewhere, and two for each byte of zero, its value 16 less.
   *
   * @param usual of a record whose writer names no other: a millisecond to 100 years
   */
  public Table<V> expiringAfter(Duration usual) {
    if (!indexes.isEmpty()) {
      throw new WrongArgumentException(
          "indexes of a table that expires are declared behind expiringAfter", null, "table", name);
    }
    return new Table<>(name, codec, Optional.of(Expiry.checked(usual)), new ConcurrentHashMap<>());
  }

  /**
   * Declares an index of the table's records by what a function makes of their values: an element
   * of a tuple, or a {@link Tuple} of several. Records of which it makes null, or an empty
   * Optional, are not in it.
   *
   * <pre>{@code
   * static final Index<User> BY_EMAIL = USERS.index("by-email", User::email).unique();
   * }</pre>
   *
   * @param name of the index in the table
   * @param by gives the same for equal values, always
   */
  public Index<V> index(String name, Function<? super V, ? extends @Nullable Object> by) {
    return Index.of(this, name, Index.single(by));
  }

  /** As {@link #index}, any number of values for each record, as a post's tags. */
  public Index<V> indexEach(String name, Function<? super V, ? extends Collection<?>> by) {
    return Index.of(this, name, by);
  }

  /** The indexes that this program declares, in the order of their names. */
  public List<Index<V>> indexes() {
    return indexes.values().stream().sorted(Comparator.comparing(Index::name)).toList();
  }

  void declare(Index<V> index) {
    indexes.put(index.name(), index);
  }

  Map<String, Index<V>> declared() {
    return indexes;
  }

  /** How long a record lives whose writer does not say; absent if for ever. */
  public Optional<Duration> lifetime() {
    return lifetime;
  }

  /** When a record is over that is written now, in milliseconds. */
  long over(long nowMillis, Duration chosen) {
    if (lifetime.isEmpty()) {
      throw new WrongArgumentException(
          "records of this table do not expire: make it with expiringAfter", null, "table", name);
    }
    return Expiry.over(nowMillis, chosen);
  }

  /** When a stored record is over. */
  Optional<Instant> expiresAt(Bytes stored) {
    OptionalLong over = lifetime.isPresent() ? Expiry.over(stored) : OptionalLong.empty();
    return over.isPresent()
        ? Optional.of(Instant.ofEpochMilli(over.getAsLong()))
        : Optional.empty();
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** How its values become bytes. */
  public Codec<V> codec() {
    return codec;
  }

  /** The keys of the store that are this table's. */
  public KeyRange keys() {
    return range(Tuple.EMPTY);
  }

  /** The keys of the store for all of this table's keys that begin with a tuple. */
  KeyRange range(Tuple beginning) {
    Bytes start = beginning.encode(prefix);
    BytesTransaction.checkKey(start);
    return beginning.prefixRange(prefix);
  }

  /** The same, the last element of the tuple being the beginning of a text. */
  KeyRange textRange(Tuple beginning) {
    Bytes start = beginning.encode(prefix);
    BytesTransaction.checkKey(start);
    return beginning.textRange(prefix);
  }

  /** The key of the store for a key of this table. */
  Bytes key(Tuple key) {
    Bytes encoded = Objects.requireNonNull(key, "key").encode(prefix);
    BytesTransaction.checkKey(encoded);
    return encoded;
  }

  /** The key of this table for a key of the store. */
  Tuple tuple(Bytes key) {
    try {
      return Tuple.decode(prefix, key);
    } catch (MalformedTupleException e) {
      throw new WrongArgumentException(
          "a key in the table is not a tuple", e, "table", name, "key", KeyText.brief(key));
    }
  }

  @Override
  public String toString() {
    return "table " + name;
  }

  /** The name of the table that a key of the store is of; absent if it is of none. */
  static Optional<String> nameIn(Bytes key) {
    try {
      Tuple tuple = Tuple.decode(key);
      return tuple.size() > 0 && tuple.element(0) instanceof String name
          ? Optional.of(name)
          : Optional.empty();
    } catch (MalformedTupleException e) {
      return Optional.empty();
    }
  }

  /** The bytes of a value; a codec that gives none is told so, with the table it is for. */
  Bytes encode(V value) {
    return given(codec.encode(Objects.requireNonNull(value, "value")), this, "the codec", "encode");
  }

  /**
   * The value of bytes.
   *
   * @throws WrongArgumentException if the codec cannot read them; it names table and key
   */
  V decode(Bytes key, Bytes encoded) {
    try {
      Bytes value = lifetime.isPresent() ? Expiry.value(encoded) : encoded;
      return given(codec.decode(value), this, "the codec", "decode");
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "a stored value cannot be read",
          e,
          "table",
          name,
          "key",
          tuple(key),
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  /**
   * What a function of the application's gave for a table, which must not be null.
   *
   * @param by who gave it, for people
   */
  static <T> T given(@Nullable T result, Table<?> table, String by, String method) {
    if (result == null) {
      throw new WrongArgumentException(
          by + " gave null", null, "table", table.name, "method", method);
    }
    return result;
  }
}
