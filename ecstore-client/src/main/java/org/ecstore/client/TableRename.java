package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.ecstore.client.CatalogVersion.Maintained;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Gives a table's records another name (decision 0064): one step of some records after the other,
 * each in a transaction that puts them as they are stored under the new name, with the entries of
 * its indexes, and deletes them under the old. From the change of the catalog that begins it to the
 * one that ends it no program writes either name. A note says to which name, and by which call: a
 * call that was frozen does nothing more when another has gone on.
 */
final class TableRename<V> {
  private static final int RECORDS_AT_ONCE = 500;
  private static final long BYTES_AT_ONCE = 4L << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * That a table is being renamed, or was.
   *
   * @param call which is at it
   * @param done whether all of it has the new name: the old one is kept from being used by mistake
   */
  record Note(String to, UUID call, boolean done) {}

  private final UUID call = UUID.randomUUID();
  private final TypedSession session;
  private final ClientTime time;
  private final Table<V> from;
  private final Table<V> to;
  private final Table<Bytes> stored;

  TableRename(TypedSession session, OpenStore store, Table<V> from, Table<V> to) {
    this.session = session;
    this.time = store.backend().cluster().time();
    this.from = from;
    this.to = to;
    this.stored = Table.of(from.name(), Codec.bytes());
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

  /** What is noted of a table that is still there to be renamed, or whose old name it was. */
  static Optional<Note> noted(Snapshot at, String table) {
    // An earlier release drops a table and leaves the note.
    boolean isDropped =
        at.get(CatalogKeys.TABLES, CatalogKeys.table(table))
            .filter(TableDescription::dropped)
            .isPresent();
    return at.get(CatalogKeys.RENAMES, CatalogKeys.rename(table)).filter(note -> isDropped);
  }

  /** Throws if a table has a part in a rename that is not over. */
  static void requireNone(Snapshot at, String table) {
    for (Entry<Note> each :
        at.scan(CatalogKeys.RENAMES, TupleRange.prefix(CatalogKeys.RENAME)).toList()) {
      String from = each.key().string(1);
      String to = each.value().to();
      boolean isPart = from.equals(table) || to.equals(table);
      if (isPart && noted(at, from).filter(note -> !note.done()).isPresent()) {
        throw new WrongArgumentException(
            "a rename of the table is not over: end it with store.catalog().rename, or have it go"
                + " back by renaming the other way",
            null,
            "from",
            from,
            "to",
            to);
      }
    }
  }

  /** In a change of the catalog: both names take no writes from now on, but those of this call. */
  TableDescription begin(TypedTransaction tx) {
    Optional<Note> own = noted(tx, from.name());
    if (own.isPresent() && own.get().to().equals(to.name())) {
      if (!own.get().done()) {
        note(tx, from.name(), new Note(to.name(), call, false));
      }
      return described(tx, from);
    }
    Optional<Note> back = noted(tx, to.name());
    if (back.filter(note -> !note.done() && note.to().equals(from.name())).isPresent()) {
      tx.delete(CatalogKeys.RENAMES, CatalogKeys.rename(to.name()));
      note(tx, from.name(), new Note(to.name(), call, false));
      return described(tx, from);
    }
    requireNone(tx, from.name());
    requireNone(tx, to.name());
    if (tx.scan(to).limit(1).count() > 0) {
      throw new WrongArgumentException(
          "there are records under the new name already", null, "table", to.name());
    }
    TableDescription before = Catalog.entered(tx, from, from.indexes());
    TableDescription after = Catalog.entered(tx, to, to.indexes());
    Optional<ValueSchema> values = tx.get(CatalogKeys.SCHEMAS, CatalogKeys.values(from.name()));
    if (values.isPresent()) {
      Tuple at = CatalogKeys.values(to.name());
      ValueSchema all =
          tx.get(CatalogKeys.SCHEMAS, at).map(values.get()::with).orElse(values.get());
      tx.put(CatalogKeys.SCHEMAS, at, all);
    }
    describe(tx, before.beingDropped());
    describe(tx, after.beingDropped());
    note(tx, from.name(), new Note(to.name(), call, false));
    return before;
  }

  private static void note(TypedTransaction tx, String table, Note note) {
    tx.put(CatalogKeys.RENAMES, CatalogKeys.rename(table), note);
  }

  private static void describe(TypedTransaction tx, TableDescription table) {
    tx.put(CatalogKeys.TABLES, CatalogKeys.table(table.name()), table);
  }

  private static TableDescription described(TypedTransaction tx, Table<?> table) {
    return tx.get(CatalogKeys.TABLES, CatalogKeys.table(table.name())).orElseThrow();
  }

  /** Whether this call is the one that is at it. */
  boolean isOwn(Snapshot at) {
    return noted(at, from.name())
        .filter(note -> note.call().equals(call) && !note.done())
        .isPresent();
  }

  /** Another call has gone on with it, or ended it. */
  WrongArgumentException overtaken() {
    return new WrongArgumentException(
        "another call has gone on with the rename, and perhaps ended it: look at"
            + " store.catalog().tables",
        null,
        "from",
        from.name(),
        "to",
        to.name());
  }

  private void requireOwn(TypedTransaction tx) {
    if (!isOwn(tx)) {
      throw overtaken();
    }
  }

  /**
   * Moves all records.
   *
   * @return how many this call has moved
   */
  long move(LongConsumer progress) {
    long moved = 0;
    int atOnce = 1;
    Deadline deadline = Deadline.after(time.nanos(), PATIENCE);
    while (true) {
      try {
        int step = stepOnce(atOnce);
        if (step == 0) {
          return moved;
        }
        moved += step;
        progress.accept(moved);
        atOnce = Math.min(RECORDS_AT_ONCE, 2 * atOnce);
        deadline = Deadline.after(time.nanos(), PATIENCE);
      } catch (EcStoreException e) {
        if (!IndexBuild.mayPass(e, atOnce) || deadline.isOver(time.nanos())) {
          throw e;
        }
        atOnce = Math.max(1, atOnce / 2);
        if (!time.pause(Duration.ofMillis(100).toNanos())) {
          throw new WrongArgumentException(
              "the thread was interrupted: the same call goes on with the rename", null);
        }
      }
    }
  }

  /** One try. One whose outcome is not known may be done again. */
  private int stepOnce(int atOnce) {
    try (ManualTransaction tx = session.begin()) {
      int step = step((TypedTransaction) tx, atOnce);
      tx.commit();
      return step;
    }
  }

  private int step(TypedTransaction tx, int atOnce) {
    requireOwn(tx);
    List<Maintained<V>> indexes = new ArrayList<>();
    to.indexes().forEach(index -> indexes.add(new Maintained<>(index, State.READABLE)));
    int moved = 0;
    long bytes = 0;
    Cursor<Bytes> cursor = tx.scan(stored).limit(atOnce).cursor();
    while (bytes < BYTES_AT_ONCE && cursor.hasNext()) {
      Entry<Bytes> entry = cursor.next();
      tx.putStored(to, entry.key(), entry.value(), indexes);
      tx.deleteUnchecked(from, entry.key());
      bytes += entry.value().length();
      moved++;
    }
    return moved;
  }

  /** In a change of the catalog: the new name is a table as any other, and the old one is none. */
  TableDescription end(TypedTransaction tx) {
    requireOwn(tx);
    TableDescription old = described(tx, from);
    old.indexes()
        .forEach(
            index -> tx.delete(CatalogKeys.BUILDS, CatalogKeys.build(from.name(), index.name())));
    describe(tx, new TableDescription(from.name(), old.lifetime(), List.of(), true));
    tx.delete(CatalogKeys.SCHEMAS, CatalogKeys.values(from.name()));
    note(tx, from.name(), new Note(to.name(), call, true));
    TableDescription now = described(tx, to);
    TableDescription whole = new TableDescription(now.name(), now.lifetime(), now.indexes(), false);
    describe(tx, whole);
    return whole;
  }
}
