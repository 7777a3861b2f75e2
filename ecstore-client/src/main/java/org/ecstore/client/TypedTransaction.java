package org.ecstore.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.client.CatalogVersion.Maintained;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.CatalogStamp;

/** Tables and types over the bytes of a transaction. */
final class TypedTransaction implements ManualTransaction {
  private final BytesTransaction raw;
  private final OpenStore store;
  private final CatalogVersion catalog;
  private final IndexedWrites indexed;
  private final SessionToken session;
  private final List<RunningWork.Work> bound = new ArrayList<>();

  /** One of a session, that is made under a version of the catalog. */
  TypedTransaction(
      BytesTransaction raw, OpenStore store, CatalogVersion catalog, SessionToken session) {
    this.raw = raw;
    this.store = store;
    this.session = session;
    this.catalog = catalog;
    this.indexed = new IndexedWrites(raw);
  }

  /** What the commit is to say of the catalog. */
  void catalog(CatalogStamp stamp) {
    raw.catalog(stamp);
  }

  /** Until when an operation that begins now may take. */
  Deadline deadline() {
    return raw.deadline();
  }

  /** For builds of indexes. */
  IndexedWrites indexed() {
    return indexed;
  }

  @Override
  public <V> Optional<V> get(Table<V> table, Tuple key) {
    return TypedSnapshot.get(raw, table, key);
  }

  @Override
  public <V> Map<Tuple, V> getAll(Table<V> table, Collection<Tuple> keys) {
    return TypedSnapshot.getAll(raw, table, keys);
  }

  @Override
  public Reads reads() {
    return new Reads(raw);
  }

  @Override
  public <V> Scan<V> scan(Table<V> table, TupleRange range) {
    return new Scan<>(raw, store.tokens(), new TableSource<>(table), range.in(table));
  }

  @Override
  public <V> Scan<V> scan(Index<V> index, TupleRange range) {
    return new Scan<>(
        raw, store.tokens(), new IndexSource<>(index, true, use(index)), index.range(range));
  }

  @Override
  public <C> Scan<C> scan(Covering<?, C> covering, TupleRange range) {
    Index<?> index = covering.index();
    return new Scan<>(
        raw, store.tokens(), new CoveringSource<>(covering, use(index)), index.range(range));
  }

  /** What was written shows in what is read. */
  private IndexUse use(Index<?> index) {
    return new IndexUse(store.catalog(), raw, index, catalog, this::enter);
  }

  /** A transaction of which only a part could be entered in the indexes is over. */
  private void enter() {
    try {
      indexed.enter();
    } catch (Throwable failure) {
      raw.rollback();
      throw failure;
    }
  }

  /** The version of the catalog that this is made under. */
  CatalogVersion catalogVersion() {
    return catalog;
  }

  @Override
  public <V> void put(Table<V> table, Tuple key, V value) {
    table
        .lifetime()
        .ifPresentOrElse(
            lifetime -> put(table, key, value, lifetime),
            () -> write(table, key, at -> raw.put(at, table.encode(value))));
  }

  /** Writes a key, and sees to it that indexes are written. */
  private <V> void write(Table<V> table, Tuple key, Consumer<Bytes> write) {
    List<Maintained<V>> indexes = catalog.maintained(table);
    Bytes at = table.key(key);
    write.accept(at);
    if (!indexes.isEmpty()) {
      indexed.wrote(table, indexes, at);
      store.catalog().uses(table);
    }
  }

  @Override
  public <V> void put(Table<V> table, Tuple key, V value, Duration lifetime) {
    long over = table.over(nowMillis(), lifetime);
    enter(table, key, over, lifetime);
    write(table, key, at -> raw.put(at, Expiry.stored(over, table.encode(value))));
  }

  @Override
  public <V> void insert(Table<V> table, Tuple key, V value) {
    if (table.lifetime().isEmpty()) {
      write(table, key, at -> raw.insert(at, table.encode(value)));
    } else {
      Duration lifetime = table.lifetime().get();
      long over = table.over(nowMillis(), lifetime);
      enter(table, key, over, lifetime);
      write(table, key, at -> raw.insert(at, Expiry.stored(over, table.encode(value))));
    }
  }

  @Override
  public void add(Table<Long> table, Tuple key, long amount) {
    operate(table, key, AtomicOp.ADD, number(table, "add", amount));
  }

  @Override
  public void max(Table<Long> table, Tuple key, long number) {
    operate(table, key, AtomicOp.MAX, number(table, "max", number));
  }

  @Override
  public void min(Table<Long> table, Tuple key, long number) {
    operate(table, key, AtomicOp.MIN, number(table, "min", number));
  }

  private static Bytes number(Table<Long> table, String operation, long number) {
    if (table.codec() instanceof LongCodec) {
      return LongCodec.bytes(number);
    }
    throw new WrongArgumentException(
        operation + " works on numbers of Codec.longs()", null, "table", table.name());
  }

  @Override
  public <E> void appendIfAbsent(Table<List<E>> table, Tuple key, E element) {
    if (table.codec() instanceof ListCodec<E> codec) {
      operate(table, key, AtomicOp.APPEND_IF_ABSENT, codec.operand(element));
      return;
    }
    throw new WrongArgumentException(
        "appendIfAbsent works on lists of Codec.lists(...)", null, "table", table.name());
  }

  /** Nothing is read: so what needs to know the value that was there cannot be kept right. */
  private void operate(Table<?> table, Tuple key, AtomicOp op, Bytes operand) {
    if (table.lifetime().isPresent() || !catalog.maintained(table).isEmpty()) {
      throw new WrongArgumentException(
          "a table with indexes or lifetimes must know what was there: take upsert, which reads it",
          null,
          "table",
          table.name());
    }
    raw.operate(table.key(key), op, operand);
  }

  private long nowMillis() {
    return store.backend().cluster().time().millis();
  }

  /** First: an entry without its record does no harm, where the caller goes on after a refusal. */
  private void enter(Table<?> table, Tuple key, long over, Duration lifetime) {
    raw.put(Expiry.TABLE.key(Expiry.entry(table, key, over, lifetime)), Bytes.EMPTY);
    store.onLifetime().run();
  }

  @Override
  public Optional<Instant> expiresAt(Table<?> table, Tuple key) {
    return TypedSnapshot.expiresAt(raw, table, key);
  }

  @Override
  public void delete(Table<?> table, Tuple key) {
    write(table, key, raw::delete);
  }

  /**
   * Puts a record as it was stored under another name, lifetime included, with its entries.
   *
   * @param indexes of the table
   */
  <V> void putStored(Table<V> table, Tuple key, Bytes stored, List<Maintained<V>> indexes) {
    Bytes at = table.key(key);
    raw.put(at, stored);
    Expiry.over(stored)
        .ifPresent(over -> table.lifetime().ifPresent(usual -> enter(table, key, over, usual)));
    if (!indexes.isEmpty()) {
      indexed.wrote(table, indexes, at);
    }
  }

  /** Deletes a key whatever indexes its table has. */
  void deleteUnchecked(Table<?> table, Tuple key) {
    raw.delete(table.key(key));
  }

  /**
   * Deletes a record of a table that is known by its name only.
   *
   * @return false if it has indexes that this program does not declare, or has not used yet: then
   *     another one deletes it
   */
  boolean deleteUndeclared(Table<Bytes> table, Tuple key) {
    if (!catalog.table(table.name()).map(TableDescription::isIndexed).orElse(false)) {
      raw.delete(table.key(key));
      return true;
    }
    Optional<Table<?>> declared = store.catalog().declared(table.name());
    if (declared.isEmpty()) {
      return false;
    }
    try {
      delete(declared.get(), key);
      return true;
    } catch (WrongArgumentException e) {
      return false;
    }
  }

  @Override
  public String token() {
    return Tokens.format(readPoint());
  }

  @Override
  public Optional<AnsweredBy> lastRead() {
    return raw.lastRead();
  }

  @Override
  public ReadPoint readPoint() {
    return raw.point();
  }

  @Override
  public Binding bind() {
    raw.checkOpen();
    RunningWork.Work work = store.running().bind(this, session);
    bound.add(work);
    return work;
  }

  @Override
  public void refuseWrites() {
    raw.refuseWrites();
  }

  @Override
  public void commit() {
    for (RunningWork.Work work : bound) {
      requireWhole(work);
    }
    enter();
    raw.commit();
  }

  private void requireWhole(RunningWork.Work work) {
    try {
      work.requireWhole();
    } catch (Throwable failure) {
      raw.rollback();
      throw failure;
    }
  }

  @Override
  public void rollback() {
    raw.rollback();
  }

  @Override
  public void close() {
    raw.rollback();
  }

  @Override
  public Optional<Position> commitNumber() {
    return raw.done().map(Commits.Done::number);
  }
}
