package org.ecstore.client;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another order of a table's records: by what a function makes of their values. Transactions that
 * write records write its entries, so that it never differs from its table, at whichever snapshot.
 *
 * <pre>{@code
 * static final Table<User> USERS = Table.of("users", Codec.record(User.class));
 * static final Index<User> BY_EMAIL = USERS.index("by-email", User::email).unique();
 * static final Index<User> BY_CITY = USERS.index("by-city", u -> Tuple.of(u.city(), u.name()));
 * static final Index<User> BY_TAG = USERS.indexEach("by-tag", User::tags);
 *
 * store.catalog().open(USERS).forEach(store.catalog()::build); // once, as the program starts
 * Optional<Entry<User>> alice = store.read(at -> at.find(BY_EMAIL, Tuple.of("alice@example.org")));
 * Page<User> page = store.read(at -> at.scan(BY_CITY, Tuple.of("Oslo")).limit(20).page());
 * }</pre>
 *
 * <p>It is declared beside its table, and is there once the store's {@link Catalog} has it. From
 * then on all programs that write the table must declare it; one that does not is told so. Writing
 * a record reads the one that was there before. Immutable: each method that changes something
 * declares another index of this name in the place of this one.
 *
 * @param <V> the type of the table's values
 */
public final class Index<V> {
  /** The longest name, in characters. */
  public static final int NAME_LENGTH_MAX = 255;

  private final Table<V> table;
  private final String name;
  private final Function<? super V, ? extends Collection<?>> by;
  private final boolean unique;
  private final int version;
  private final Predicate<? super V> condition;
  private final @Nullable Function<? super V, Bytes> covered;
  private final Bytes prefix;

  private Index(
      Table<V> table,
      String name,
      Function<? super V, ? extends Collection<?>> by,
      boolean unique,
      int version,
      Predicate<? super V> condition,
      @Nullable Function<? super V, Bytes> covered) {
    this.table = table;
    this.name = name;
    this.by = by;
    this.unique = unique;
    this.version = version;
    this.condition = condition;
    this.covered = covered;
    this.prefix = CatalogKeys.entries(table.name(), name).encode();
  }

  /** One by what a function gives: any number of values for each record. */
  static <V> Index<V> of(
      Table<V> table, String name, Function<? super V, ? extends Collection<?>> by) {
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new WrongArgumentException(
          "an index's name is of 1 to " + NAME_LENGTH_MAX + " characters", null, "name", name);
    }
    return new Index<>(table, name, by, false, 1, value -> true, null).declared();
  }

  private Index<V> declared() {
    table.declare(this);
    return this;
  }

  /** The same, no two records having one value: who writes the second is told. */
  public Index<V> unique() {
    return new Index<>(table, name, by, true, version, condition, covered).declared();
  }

  /** The same of those records only that a condition holds for. */
  public Index<V> where(Predicate<? super V> holds) {
    Predicate<V> both = value -> condition.test(value) && holds.test(value);
    return new Index<>(table, name, by, unique, version, both, covered).declared();
  }

  /**
   * The same as another version, 1 being the first: to be raised when the function, the condition
   * or what the index covers gives anything else than before for records that are there. The
   * catalog then refuses the old one's writers, and {@link Catalog#rebuild} makes all entries anew.
   */
  public Index<V> version(int number) {
    if (number < 1) {
      throw new WrongArgumentException(
          "versions of an index are 1 and above", null, "index", name, "version", number);
    }
    return new Index<>(table, name, by, unique, number, condition, covered).declared();
  }

  /**
   * The same, with a part of each record kept in its entries, so that a scan of that part reads no
   * record.
   *
   * <pre>{@code
   * static final Covering<User, String> NAMES =
   *     USERS.index("names", User::email).covering(Codec.utf8(), User::name);
   * }</pre>
   */
  public <C> Covering<V, C> covering(Codec<C> codec, Function<? super V, C> part) {
    if (covered != null) {
      throw new WrongArgumentException(
          "the index keeps a part of each record already: make a record of both parts",
          null,
          "table",
          table.name(),
          "index",
          name);
    }
    Function<V, Bytes> encoded =
        value -> codec.encode(Table.given(part.apply(value), table, "the index", name));
    return new Covering<>(
        new Index<V>(table, name, by, unique, version, condition, encoded).declared(), codec);
  }

  /** The table whose records it orders. */
  public Table<V> table() {
    return table;
  }

  /** Its name in its table. */
  public String name() {
    return name;
  }

  /** Whether no two records have one value. */
  public boolean isUnique() {
    return unique;
  }

  /** Which version of what it is made of this is. */
  public int version() {
    return version;
  }

  /** What the catalog keeps of this declaration. */
  IndexDescription description(IndexDescription.State state) {
    return new IndexDescription(name, unique, covered != null, version, state);
  }

  boolean isAs(IndexDescription kept) {
    return kept.unique() == unique
        && kept.covering() == (covered != null)
        && kept.version() == version;
  }

  /** The keys of the store that its entries have. */
  KeyRange keys() {
    return Tuple.EMPTY.prefixRange(prefix);
  }

  /** How many bytes of an entry come before its values. */
  int prefixBytes() {
    return prefix.length();
  }

  /** That entries do not have the values of the table. */
  WrongArgumentException noValues(String what) {
    return new WrongArgumentException(
        "an index has no values of the table, and "
            + what
            + ": scan the table, or make the number"
            + " an element of the index",
        null,
        "table",
        table.name(),
        "index",
        name);
  }

  /** The keys of the entries of some values: of all that begin as one, or from one to another. */
  KeyRange range(TupleRange values) {
    return values.of(prefix);
  }

  /** Adds the entries of a record: keys and values of the store. */
  void entries(Tuple key, V value, Map<Bytes, Bytes> into) {
    if (!condition.test(value)) {
      return;
    }
    Collection<?> values = by.apply(value);
    if (values == null) {
      return;
    }
    Bytes own = key.encode();
    for (Object each : values) {
      Tuple at = tuple(key, each);
      Bytes entry = unique ? at.encode(prefix) : at.append(own).encode(prefix);
      if (entry.length() > Limits.KEY_BYTES_MAX) {
        throw new TooLargeException(
            "an entry of the index is too large: its value and the record's key together",
            null,
            "table",
            table.name(),
            "index",
            name,
            "bytes",
            entry.length(),
            "max",
            Limits.KEY_BYTES_MAX);
      }
      into.put(entry, stored(own, value));
    }
  }

  private Tuple tuple(Tuple key, @Nullable Object value) {
    if (value instanceof Tuple tuple) {
      return tuple;
    }
    try {
      return Tuple.of(value);
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "the index's function gave what no key can hold",
          e,
          "table",
          table.name(),
          "index",
          name,
          "key",
          key,
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  private Bytes stored(Bytes own, V value) {
    Bytes part = covered == null ? Bytes.EMPTY : covered.apply(value);
    if (!unique) {
      return part;
    }
    return new WireWriter().bytes(own).raw(part.array()).toBytes();
  }

  /** The values of an index that has one for each record, or none. */
  static <V> Function<V, Collection<?>> single(Function<? super V, ? extends @Nullable Object> by) {
    return value -> {
      Object given = by.apply(value);
      if (given instanceof Optional<?> optional) {
        given = optional.orElse(null);
      }
      return given == null ? List.of() : List.of(given);
    };
  }

  /** The value that an entry's key is of. */
  Tuple valueIn(Bytes entry) {
    Tuple all = decoded(entry);
    return unique ? all : all.first(all.size() - 1);
  }

  /** The key of the record that an entry is of. */
  Tuple keyIn(Bytes entry, Bytes stored) {
    try {
      if (unique) {
        return Tuple.decode(new WireReader(stored).bytes(Limits.KEY_BYTES_MAX));
      }
      Tuple all = decoded(entry);
      return Tuple.decode(all.bytes(all.size() - 1));
    } catch (MalformedMessageException | EcStoreException e) {
      throw damaged(entry, e);
    }
  }

  /** The part of a record that an entry keeps. */
  Bytes partIn(Bytes entry, Bytes stored) {
    if (!unique) {
      return stored;
    }
    try {
      WireReader reader = new WireReader(stored);
      var unused = reader.bytes(Limits.KEY_BYTES_MAX);
      return reader.rest(Limits.VALUE_BYTES_MAX);
    } catch (MalformedMessageException e) {
      throw damaged(entry, e);
    }
  }

  private Tuple decoded(Bytes entry) {
    try {
      return Tuple.decode(prefix, entry);
    } catch (MalformedTupleException e) {
      throw damaged(entry, e);
    }
  }

  private WrongArgumentException damaged(Bytes entry, RuntimeException cause) {
    return new WrongArgumentException(
        "an entry of the index was overwritten: rebuild it with store.catalog().rebuild",
        cause,
        "table",
        table.name(),
        "index",
        name,
        "entry",
        org.ecstore.key.KeyText.brief(entry));
  }

  @Override
  public String toString() {
    return "index " + name + " of " + table;
  }
}
