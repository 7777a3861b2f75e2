package org.ecstore.client;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.client.token.PageTokens;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Tuple;

/** Tables and types over the bytes of a transaction. */
final class TypedTransaction implements ManualTransaction {
  private final BytesTransaction raw;
  private final PageTokens tokens;

  TypedTransaction(BytesTransaction raw, PageTokens tokens) {
    this.raw = raw;
    this.tokens = tokens;
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
    return new Scan<>(raw, tokens, table, range);
  }

  @Override
  public <V> void put(Table<V> table, Tuple key, V value) {
    raw.put(table.key(key), table.encode(value));
  }

  @Override
  public <V> void insert(Table<V> table, Tuple key, V value) {
    raw.insert(table.key(key), table.encode(value));
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
