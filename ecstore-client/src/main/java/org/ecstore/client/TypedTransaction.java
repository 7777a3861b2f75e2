package org.ecstore.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/** Tables and types over the bytes of a transaction. */
final class TypedTransaction implements ManualTransaction {
  private final BytesTransaction raw;
  private final OpenStore store;

  TypedTransaction(BytesTransaction raw, OpenStore store) {
    this.raw = raw;
    this.store = store;
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
  public <V> Scan<V> scan(Table<V> table, TupleRange range) {
    return new Scan<>(raw, store.tokens(), table, range);
  }

  @Override
  public <V> void put(Table<V> table, Tuple key, V value) {
    table
        .lifetime()
        .ifPresentOrElse(
            lifetime -> put(table, key, value, lifetime),
            () -> raw.put(table.key(key), table.encode(value)));
  }

  @Override
  public <V> void put(Table<V> table, Tuple key, V value, Duration lifetime) {
    long over = table.over(nowMillis(), lifetime);
    enter(table, key, over, lifetime);
    raw.put(table.key(key), Expiry.stored(over, table.encode(value)));
  }

  @Override
  public <V> void insert(Table<V> table, Tuple key, V value) {
    if (table.lifetime().isEmpty()) {
      raw.insert(table.key(key), table.encode(value));
    } else {
      Duration lifetime = table.lifetime().get();
      long over = table.over(nowMillis(), lifetime);
      enter(table, key, over, lifetime);
      raw.insert(table.key(key), Expiry.stored(over, table.encode(value)));
    }
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
    raw.delete(table.key(key));
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
  public void commit() {
    raw.commit();
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
