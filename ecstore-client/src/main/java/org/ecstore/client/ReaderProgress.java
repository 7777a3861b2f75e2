package org.ecstore.client;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.error.ReaderTakenException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.token.ChangeToken;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * How far a reader of changes has come, as the store keeps it for one that has a name:
 *
 * <pre>
 *   ecstore, ("changes", table, name)     format 1 | of which keys, 4 bytes | position
 * </pre>
 */
final class ReaderProgress {
  private static final Table<Bytes> TABLE = Table.of(StoredTokenKey.TABLE.name(), Codec.bytes());
  private static final int FORMAT = 1;

  private final TypedSession session;
  private final Table<?> table;
  private final boolean isNamed;
  private final Tuple key;
  private Position saved = Position.ZERO;

  /**
   * What the store may have for it by tries since then: of a try whose answer was lost it is not
   * known, and one that fails later settles nothing. Once a try is known to be committed those
   * before it cannot be any more: they have read what it has written over.
   */
  private final Set<Position> attempted = new HashSet<>();

  ReaderProgress(TypedSession session, Table<?> table, String name, boolean isNamed) {
    this.session = session.serializable();
    this.table = table;
    this.isNamed = isNamed;
    this.key = Tuple.of("changes", table.name(), name);
  }

  boolean isNamed() {
    return isNamed;
  }

  /** What the store has for it by now, as far as this reader knows. */
  Position saved() {
    return saved;
  }

  /**
   * Where to begin: at a position that is given; else, unless it is to begin now, where the store
   * has it; else now. The store has it from then on.
   */
  Position begin(Optional<Position> given, boolean now) {
    if (!isNamed) {
      return given.orElseGet(this::now);
    }
    Position end = given.isPresent() ? given.get() : now();
    Session own = session.requiresNew();
    saved =
        own.transact(
            tx -> {
              Optional<Position> known = given.isPresent() || now ? Optional.empty() : stored(tx);
              if (known.isEmpty()) {
                put(tx, end);
              }
              return known.orElse(end);
            });
    return saved;
  }

  /** Behind all that was acknowledged until now. */
  private Position now() {
    try (ManualSnapshot snapshot = session.with(ReadLevel.STRONG).snapshot()) {
      return snapshot.readPoint().position();
    }
  }

  /** What the store has for it. */
  Optional<Position> stored(Transaction tx) {
    return tx.get(TABLE, key).map(this::position);
  }

  /** The store is to have this for it. */
  void put(Transaction tx, Position position) {
    tx.put(
        TABLE,
        key,
        new WireWriter()
            .u8(FORMAT)
            .i32(ChangeToken.scope(table.keys()))
            .position(position)
            .toBytes());
  }

  /** What is done with a position in a transaction of its own. */
  interface Step<X extends Exception> {
    void run(Transaction tx) throws X;
  }

  /**
   * Has the store keep a position, in one transaction with something else; not again, if that was
   * done by a try whose answer was lost.
   *
   * @throws ReaderTakenException if the store has what this reader has not given it
   */
  <X extends Exception> void save(Position position, Step<X> with) throws X {
    attempted.add(position);
    Optional<Position> other =
        session
            .requiresNew()
            .transact(
                tx -> {
                  Optional<Position> there = stored(tx);
                  if (there.equals(Optional.of(position))) {
                    return Optional.<Position>empty();
                  }
                  if (!there.equals(Optional.of(saved))
                      && there.filter(attempted::contains).isEmpty()) {
                    return Optional.of(there.orElse(Position.ZERO));
                  }
                  with.run(tx);
                  put(tx, position);
                  return Optional.<Position>empty();
                });
    if (other.isPresent()) {
      throw new ReaderTakenException(
          "another process reads under this name: open the changes anew to go on behind it",
          null,
          "reader",
          key,
          "here",
          saved,
          "there",
          other.get());
    }
    attempted.clear();
    saved = position;
  }

  private Position position(Bytes stored) {
    try {
      WireReader in = new WireReader(stored);
      if (in.u8() == FORMAT && in.i32() == ChangeToken.scope(table.keys())) {
        Position position = in.position();
        in.expectEnd();
        return position;
      }
    } catch (MalformedMessageException e) {
      throw wrong(e);
    }
    throw wrong(null);
  }

  private WrongArgumentException wrong(@Nullable Throwable cause) {
    return new WrongArgumentException(
        "what the store keeps of the reader is of a later release, or was overwritten",
        cause,
        "table",
        TABLE.name(),
        "key",
        key);
  }

  @Override
  public String toString() {
    return "reader " + key;
  }
}
