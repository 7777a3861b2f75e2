package org.ecstore.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;

/**
 * Gives a table's records another name: one step of some records after the other, each in a
 * transaction that puts them under the new name and deletes them under the old. From the first
 * change of the catalog on, which notes the new name, no program writes the old one.
 */
final class TableRename<V> {
  private static final int RECORDS_AT_ONCE = 200;
  private static final long BYTES_AT_ONCE = 4L << 20;

  private final TypedSession session;
  private final OpenStore store;
  private final Table<V> from;
  private final Table<V> to;

  TableRename(TypedSession session, OpenStore store, Table<V> from, Table<V> to) {
    this.session = session;
    this.store = store;
    this.from = from;
    this.to = to;
    if (from.name().equals(to.name())) {
      throw new WrongArgumentException(
          "a table is renamed to another name", null, "table", from.name());
    }
    if (from.lifetime().isPresent() != to.lifetime().isPresent()) {
      throw new WrongArgumentException(
          "a table is renamed with its lifetimes: declare both with expiringAfter, or neither",
          null,
          "from",
          from.name(),
          "to",
          to.name());
    }
  }

  /** To which name a table is being renamed; absent if it is not. */
  static Optional<String> noted(Snapshot at, String table) {
    return at.get(CatalogKeys.RENAMES, CatalogKeys.rename(table));
  }

  /**
   * In a change of the catalog: the old name takes no more writes, the new one is there with its
   * indexes. What another call has begun stays.
   */
  TableDescription begin(TypedTransaction tx) {
    Optional<String> noted = noted(tx, from.name());
    if (noted.filter(name -> !name.equals(to.name())).isPresent()) {
      throw new WrongArgumentException(
          "the table is being renamed to another name: end that first",
          null,
          "table",
          from.name(),
          "to",
          noted.get());
    }
    if (noted.isPresent()) {
      return tx.get(CatalogKeys.TABLES, CatalogKeys.table(from.name())).orElseThrow();
    }
    if (tx.scan(to).limit(1).count() > 0) {
      throw new WrongArgumentException(
          "there are records under the new name already", null, "table", to.name());
    }
    TableDescription before = Catalog.entered(tx, from, from.indexes());
    Catalog.entered(tx, to, to.indexes());
    TableDescription now = before.beingDropped();
    tx.put(CatalogKeys.TABLES, CatalogKeys.table(from.name()), now);
    tx.put(CatalogKeys.RENAMES, CatalogKeys.rename(from.name()), to.name());
    return now;
  }

  /**
   * Moves all records.
   *
   * @return how many this call has moved
   */
  long move(LongConsumer progress) {
    long moved = 0;
    while (true) {
      int step = session.<Integer, RuntimeException>transact(tx -> step((TypedTransaction) tx));
      if (step == 0) {
        return moved;
      }
      moved += step;
      progress.accept(moved);
    }
  }

  private int step(TypedTransaction tx) {
    boolean isOwn =
        tx.catalogVersion().table(from.name()).filter(TableDescription::dropped).isPresent();
    if (!isOwn) {
      throw new WrongArgumentException(
          "another program has ended the rename meanwhile", null, "table", from.name());
    }
    List<Entry<V>> some = new ArrayList<>();
    long bytes = 0;
    Cursor<V> cursor = tx.scan(from).limit(RECORDS_AT_ONCE).cursor();
    while (bytes < BYTES_AT_ONCE && cursor.hasNext()) {
      Entry<V> entry = cursor.next();
      some.add(entry);
      bytes += to.encode(entry.value()).length();
    }
    Map<Tuple, V> there = tx.getAll(to, some.stream().map(Entry::key).toList());
    for (Entry<V> entry : some) {
      // What was written under the new name meanwhile is newer.
      if (!there.containsKey(entry.key())) {
        put(tx, entry);
      }
      tx.deleteUnchecked(from, entry.key());
    }
    return some.size();
  }

  private void put(TypedTransaction tx, Entry<V> entry) {
    Optional<Instant> over = tx.expiresAt(from, entry.key());
    if (over.isEmpty()) {
      tx.put(to, entry.key(), entry.value());
      return;
    }
    Instant now = Instant.ofEpochMilli(store.backend().cluster().time().millis());
    if (over.get().isAfter(now)) {
      tx.put(to, entry.key(), entry.value(), Duration.between(now, over.get()));
    }
  }
}
