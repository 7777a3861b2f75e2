package org.ecstore.client;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/** Tables and types over the bytes of a snapshot. */
final class TypedSnapshot implements ManualSnapshot {
  private final BytesSnapshot raw;
  private final OpenStore store;

  TypedSnapshot(BytesSnapshot raw, OpenStore store) {
    this.raw = raw;
    this.store = store;
  }

  static <V> Optional<V> get(BytesReads raw, Table<V> table, Tuple key) {
    Bytes encoded = table.key(key);
    return Optional.ofNullable(raw.get(List.of(encoded)).get(encoded))
        .map(value -> table.decode(encoded, value));
  }

  static <V> Map<Tuple, V> getAll(BytesReads raw, Table<V> table, Collection<Tuple> keys) {
    Map<Bytes, Tuple> encoded = new LinkedHashMap<>();
    for (Tuple key : keys) {
      encoded.put(table.key(key), key);
    }
    Map<Tuple, V> values = new LinkedHashMap<>();
    raw.get(encoded.keySet())
        .forEach((key, value) -> values.put(table.tuple(key), table.decode(key, value)));
    return values;
  }

  static Optional<Instant> expiresAt(BytesReads raw, Table<?> table, Tuple key) {
    Bytes encoded = table.key(key);
    return Optional.ofNullable(raw.get(List.of(encoded)).get(encoded)).flatMap(table::expiresAt);
  }

  @Override
  public <V> Optional<V> get(Table<V> table, Tuple key) {
    return get(raw, table, key);
  }

  @Override
  public Optional<Instant> expiresAt(Table<?> table, Tuple key) {
    return expiresAt(raw, table, key);
  }

  @Override
  public <V> Map<Tuple, V> getAll(Table<V> table, Collection<Tuple> keys) {
    return getAll(raw, table, keys);
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
        raw, store.tokens(), new IndexSource<>(index, false, use(index)), index.range(range));
  }

  @Override
  public <C> Scan<C> scan(Covering<?, C> covering, TupleRange range) {
    Index<?> index = covering.index();
    return new Scan<>(
        raw, store.tokens(), new CoveringSource<>(covering, use(index)), index.range(range));
  }

  private IndexUse use(Index<?> index) {
    return new IndexUse(store.catalog(), raw, index, null, () -> {});
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
  public void close() {
    raw.close();
  }
}
