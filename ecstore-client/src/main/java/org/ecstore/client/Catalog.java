package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * The tables that a store knows, and their indexes. A change of it is a transaction, and ends those
 * that were begun before it and have not committed: they are run again by what it says now (rule
 * 27). So no record is written by a program that does not know of an index. A table that is not in
 * it is used as any other, and has no indexes.
 *
 * <pre>{@code
 * Catalog catalog = store.catalog();
 * catalog.open(USERS, ORDERS).forEach(catalog::build); // as the program starts; mostly does nothing
 * }</pre>
 *
 * <p>What takes long, as {@link #build}, goes on in small transactions with rests between them; it
 * may be ended at any moment, by a crash too, and the same call goes on with it. Safe for use by
 * several threads, and processes; all methods block. Not within {@link Session#transact}.
 */
public final class Catalog {
  /** Between taking an index away and deleting its entries, for those who may still read it. */
  static final Duration GRACE = CatalogCache.CONFIRMED_FOR.multipliedBy(2).plusSeconds(1);

  /** Indexes of a table. */
  static final int INDEXES_MAX = 64;

  private static final int DELETED_AT_ONCE = 500;

  /** A build that another program does is further after so long. */
  private static final Duration OTHERS_BUILD = Duration.ofSeconds(10);

  private final TypedSession session;
  private final OpenStore store;
  private final CatalogChanges changes;

  /**
   * Of a store, whose sessions see what was changed by it.
   *
   * @param session of the store's own
   */
  Catalog(TypedSession session, OpenStore store, EcStoreOptions options) {
    this.session = session.requiresNew().serializable();
    this.store = store;
    this.changes = new CatalogChanges(store, options, session.seenToken());
  }

  /** The tables in it, in the order of their names, as they are now. */
  public List<TableDescription> tables() {
    return store.catalog().newest().tables().values().stream()
        .sorted((one, other) -> one.name().compareTo(other.name()))
        .toList();
  }

  /** What it says of a table now; absent if it does not know the table. */
  public Optional<TableDescription> table(String name) {
    return store.catalog().newest().table(name);
  }

  /**
   * What the values of a table consist of, by what programs of this release said that opened it;
   * absent if none did, or its codec does not tell.
   */
  public Optional<ValueSchema> schema(String table) {
    return store.catalog().newest().schema(table);
  }

  /**
   * Has the catalog forget what the values of a table consisted of: the next {@link #open} says it
   * anew. For what stays in it though no stored value has it any more, as a component that was
   * {@code Removed} for long, or for a table whose values another format has taken over.
   */
  public void forgetSchema(String table) {
    changes.change(
        tx -> {
          tx.delete(CatalogKeys.SCHEMAS, CatalogKeys.values(table));
          return tx.get(CatalogKeys.TABLES, CatalogKeys.table(table))
              .orElseGet(() -> new TableDescription(table, Optional.empty(), List.of(), false));
        });
  }

  /**
   * Enters tables, with the indexes that this program declares of them and the catalog has not yet,
   * and with what its codec says of their values. What is there already stays. An index of a table
   * without records can be read at once; another has to be built.
   *
   * @return the indexes that cannot be read before they are built: for {@link #build}
   * @throws WrongArgumentException if an index is declared otherwise than the catalog has it, a
   *     table of the same name expires where this one does not, or this program's codec does not
   *     read what is stored; it says what to declare
   */
  public List<Index<?>> open(Table<?>... tables) {
    List<Index<?>> unbuilt = new ArrayList<>();
    for (Table<?> table : tables) {
      unbuilt.addAll(enter(table, table.indexes()));
    }
    return unbuilt;
  }

  /**
   * As {@link #open}, of a table with some of the indexes that this program declares: the others
   * are declared for a catalog that will have them, which another program, or a later release,
   * opens.
   *
   * @param indexes of the table
   */
  public List<Index<?>> openWith(Table<?> table, List<? extends Index<?>> indexes) {
    List<Index<?>> some = new ArrayList<>();
    for (Index<?> declared : table.indexes()) {
      if (indexes.stream().anyMatch(index -> index.name().equals(declared.name()))) {
        some.add(declared);
      }
    }
    return new ArrayList<>(enter(table, some));
  }

  private List<Index<?>> enter(Table<?> table, List<? extends Index<?>> indexes) {
    requireUsable(table.name());
    CatalogVersion newest = newestToChange();
    newest.schema(table.name()).ifPresent(kept -> CatalogVersion.requireReads(table, kept));
    TableDescription now =
        newest
            .table(table.name())
            .filter(kept -> hasAll(kept, table, indexes) && hasValuesOf(newest, table))
            .orElseGet(() -> changes.change(tx -> entered(tx, table, indexes)));
    requireAs(now, table, indexes);
    store.catalog().uses(table);
    List<Index<?>> unbuilt = new ArrayList<>();
    for (Index<?> index : indexes) {
      if (!now.index(index.name()).orElseThrow().isReadable()) {
        unbuilt.add(index);
      }
    }
    return unbuilt;
  }

  /** A version that was overwritten is written anew by the change that follows. */
  private CatalogVersion newestToChange() {
    try {
      return store.catalog().newest();
    } catch (CatalogCache.OverwrittenException e) {
      return CatalogVersion.NONE;
    }
  }

  private static void requireUsable(String table) {
    if (table.equals(CatalogKeys.OWN.name())) {
      throw new WrongArgumentException(
          "the table is the store's own, and in no catalog", null, "table", table);
    }
  }

  private static boolean hasValuesOf(CatalogVersion version, Table<?> table) {
    Optional<ValueSchema> own = table.codec().schema();
    Optional<ValueSchema> kept = version.schema(table.name());
    return own.isEmpty() || kept.filter(known -> known.with(own.get()).equals(known)).isPresent();
  }

  /** What this program writes joins what was written before, if it can read that. */
  private static void enterValues(TypedTransaction tx, Table<?> table, boolean wasThere) {
    Optional<ValueSchema> own = table.codec().schema();
    if (own.isPresent()) {
      Tuple at = CatalogKeys.values(table.name());
      // An earlier release drops a table and leaves it.
      Optional<ValueSchema> kept = tx.get(CatalogKeys.SCHEMAS, at).filter(stored -> wasThere);
      kept.ifPresent(stored -> CatalogVersion.requireReads(table, stored));
      tx.put(CatalogKeys.SCHEMAS, at, kept.map(known -> known.with(own.get())).orElse(own.get()));
    }
  }

  private static boolean hasAll(
      TableDescription kept, Table<?> table, List<? extends Index<?>> indexes) {
    return !kept.dropped()
        && (kept.lifetime().isPresent() || table.lifetime().isEmpty())
        && indexes.stream().allMatch(index -> kept.index(index.name()).isPresent());
  }

  static TableDescription entered(
      TypedTransaction tx, Table<?> table, List<? extends Index<?>> indexes) {
    Tuple at = CatalogKeys.table(table.name());
    Optional<TableDescription> before = tx.get(CatalogKeys.TABLES, at);
    if (before.isEmpty()
        && tx.count(CatalogKeys.OWN, TupleRange.prefix(CatalogKeys.VERSION))
            > CatalogCache.TABLES_MAX) {
      throw new TooLargeException(
          "the catalog has as many tables as it may", null, "max", CatalogCache.TABLES_MAX);
    }
    TableDescription kept =
        before.orElseGet(
            () -> new TableDescription(table.name(), table.lifetime(), List.of(), false));
    Optional<TableRename.Note> renamed = TableRename.noted(tx, table.name());
    if (renamed.isPresent()) {
      throw new WrongArgumentException(
          renamed.get().done()
              ? "the table has another name now: store.catalog().dropTable frees this one"
              : "the table is being renamed: wait until that is over; if it was interrupted, end it"
                  + " with store.catalog().rename",
          null,
          "table",
          table.name(),
          "to",
          renamed.get().to());
    }
    requireNotDropped(kept);
    if (kept.lifetime().isEmpty() && table.lifetime().isPresent()) {
      // What was written before has no time, and stays.
      kept = kept.living(table.lifetime());
    }
    boolean isEmpty = tx.scan(table).limit(1).keys().findFirst().isEmpty();
    for (Index<?> index : indexes) {
      if (kept.index(index.name()).isEmpty()) {
        kept = kept.with(index.description(isEmpty ? State.READABLE : State.BUILDING));
        tx.delete(CatalogKeys.BUILDS, CatalogKeys.build(table.name(), index.name()));
      }
    }
    if (kept.indexes().size() > INDEXES_MAX) {
      throw new WrongArgumentException(
          "a table has " + INDEXES_MAX + " indexes at most", null, "table", table.name());
    }
    requireAs(kept, table, indexes);
    enterValues(tx, table, before.isPresent());
    tx.put(CatalogKeys.TABLES, at, kept);
    return kept;
  }

  private static void requireNotDropped(TableDescription kept) {
    if (kept.dropped()) {
      throw new WrongArgumentException(
          "the table is being dropped or renamed: end that with store.catalog().dropTable or rename"
              + " first",
          null,
          "table",
          kept.name());
    }
  }

  private static void requireAs(
      TableDescription kept, Table<?> table, List<? extends Index<?>> indexes) {
    if (kept.lifetime().isPresent() != table.lifetime().isPresent()) {
      throw new WrongArgumentException(
          kept.lifetime().isPresent()
              ? "the table's records expire: declare it with expiringAfter"
              : "the table's records do not expire: declare it without expiringAfter",
          null,
          "table",
          table.name());
    }
    for (Index<?> index : indexes) {
      IndexDescription there = kept.index(index.name()).orElseThrow();
      if (there.state() == State.REMOVED || there.state() == State.DROPPING) {
        throw new WrongArgumentException(
            "the index is being dropped or made anew: wait until that is over; if it was"
                + " interrupted, end it with store.catalog().drop or rebuild",
            null,
            "table",
            table.name(),
            "index",
            index.name());
      }
      if (!index.isAs(there)) {
        throw CatalogVersion.differs(index, there);
      }
    }
  }

  /** As {@link #build(Index, LongConsumer)}, without telling how far it is. */
  public long build(Index<?> index) {
    return build(index, records -> {});
  }

  /**
   * Enters the records that were there before an index was, verifies the whole of it, and has it
   * read from then on. Does nothing if that is done already. What is written meanwhile is entered
   * by its writers.
   *
   * @param progress is told from time to time how many records were looked at
   * @return how many records were looked at, in all builds of the index since it was begun
   * @throws org.ecstore.client.error.UniqueViolationException if the index is unique and two
   *     records have one value: change one of them, and the same call goes on
   */
  public long build(Index<?> index, LongConsumer progress) {
    return built(index, progress);
  }

  private <V> long built(Index<V> index, LongConsumer progress) {
    Optional<BuildState> before = Optional.empty();
    while (!described(index).isReadable()) {
      Optional<BuildState> now = session.read(at -> at.get(CatalogKeys.BUILDS, noteOf(index)));
      boolean isOfAnother = now.filter(state -> !state.build().equals(BuildState.NONE)).isPresent();
      if (isOfAnother && !now.equals(before)) {
        // Perhaps another program builds it: if so, it is further in a while.
        before = now;
        progress.accept(now.orElseThrow().records());
        rest(OTHERS_BUILD);
      } else {
        Optional<Long> records = buildOnce(index, progress);
        if (records.isPresent()) {
          return records.get();
        }
        before = Optional.empty();
      }
    }
    return 0;
  }

  private static Tuple noteOf(Index<?> index) {
    return CatalogKeys.build(index.table().name(), index.name());
  }

  /** How many records were looked at; absent if another build has taken this one's place. */
  private <V> Optional<Long> buildOnce(Index<V> index, LongConsumer progress) {
    IndexBuild<V> build = new IndexBuild<>(session, store, index, progress);
    try {
      long records = build.run();
      IndexCheck check = IndexCheck.of(session, index, build::beat);
      if (!check.isSound()) {
        throw new WrongArgumentException(
            "the index is not as its records are, though it was built: its function may not give"
                + " the same each time; mend that, and rebuild it",
            null,
            "table",
            index.table().name(),
            "index",
            index.name(),
            "first",
            check.differences().get(0));
      }
      changes.change(
          tx -> {
            build.requireOwn(tx);
            tx.delete(CatalogKeys.BUILDS, noteOf(index));
            return changed(
                tx,
                index.table().name(),
                table -> between(table, index, State.BUILDING, State.READABLE));
          });
      return Optional.of(records);
    } catch (IndexBuild.OvertakenException another) {
      return Optional.empty();
    } catch (RuntimeException failure) {
      build.release();
      throw failure;
    }
  }

  /** An index goes from one state to the next, unless another program has had it go another way. */
  private static TableDescription between(
      TableDescription table, Index<?> index, State from, State to) {
    IndexDescription kept =
        table
            .index(index.name())
            .filter(one -> one.state() == from && index.isAs(one))
            .orElseThrow(() -> goesOnElsewhere(table.name(), index.name()));
    return table.with(kept.in(to));
  }

  private static WrongArgumentException goesOnElsewhere(String table, String index) {
    return new WrongArgumentException(
        "another program has changed, dropped or rebuilt the index meanwhile: look at"
            + " store.catalog().table, and call again what is still wanted",
        null,
        "table",
        table,
        "index",
        index);
  }

  /** What the catalog has of an index. */
  private IndexDescription described(Index<?> index) {
    IndexDescription kept =
        table(index.table().name())
            .flatMap(table -> table.index(index.name()))
            .orElseThrow(() -> noSuchIndex(index.table().name(), index.name()));
    if (!index.isAs(kept)) {
      throw CatalogVersion.differs(index, kept);
    }
    if (kept.state() == State.DROPPING || kept.state() == State.REMOVED) {
      throw new WrongArgumentException(
          "the index is being dropped", null, "table", index.table().name(), "index", kept.name());
    }
    return kept;
  }

  private static WrongArgumentException noSuchIndex(String table, String index) {
    return new WrongArgumentException(
        "the store has no such index: make it with store.catalog().open of its table",
        null,
        "table",
        table,
        "index",
        index);
  }

  private static TableDescription changed(
      TypedTransaction tx, String table, UnaryOperator<TableDescription> change) {
    Tuple at = CatalogKeys.table(table);
    TableDescription kept =
        tx.get(CatalogKeys.TABLES, at)
            .orElseThrow(
                () ->
                    new WrongArgumentException(
                        "the catalog has no such table", null, "table", table));
    TableDescription next = change.apply(kept);
    tx.put(CatalogKeys.TABLES, at, next);
    return next;
  }

  /**
   * Holds an index against its table, piece by piece, each at a snapshot of its own: whether each
   * record has its entries, and each entry its record. Changes nothing.
   */
  public IndexCheck verify(Index<?> index) {
    described(index);
    return IndexCheck.of(session, index, () -> {});
  }

  /**
   * Makes an index anew, as this program declares it: it is not read until that is done. For one
   * whose function has changed, with {@link Index#version} raised, or that was found to differ from
   * its table.
   *
   * @return how many records were looked at
   */
  public long rebuild(Index<?> index) {
    return rebuild(index, records -> {});
  }

  /**
   * As {@link #rebuild(Index)}.
   *
   * @param progress is told from time to time how many records were looked at
   */
  public long rebuild(Index<?> index, LongConsumer progress) {
    String table = index.table().name();
    remove(table, index.name());
    changes.change(
        tx -> {
          tx.put(CatalogKeys.BUILDS, noteOf(index), BuildState.first(BuildState.NONE));
          return changed(
              tx,
              table,
              kept -> {
                requireNotDropped(kept);
                requireRemoved(kept, index.name());
                return kept.with(index.description(State.BUILDING));
              });
        });
    Optional<Long> records = buildOnce(index, progress);
    return records.isPresent() ? records.get() : built(index, progress);
  }

  private void rest(Duration time) {
    if (!store.backend().cluster().time().pause(time.toNanos())) {
      throw new WrongArgumentException(
          "the thread was interrupted: the same call goes on with it", null);
    }
  }

  /** Drops an index and its entries; takes some seconds at least. Programs may still declare it. */
  public void drop(Index<?> index) {
    drop(index.table().name(), index.name());
  }

  /** As {@link #drop(Index)}, of an index that this program need not declare. */
  public void drop(String table, String index) {
    remove(table, index);
    changes.change(
        tx -> {
          tx.delete(CatalogKeys.BUILDS, CatalogKeys.build(table, index));
          return changed(
              tx,
              table,
              kept -> {
                requireRemoved(kept, index);
                return kept.without(index);
              });
        });
  }

  /**
   * Takes an index away, from readers first, and deletes its entries. Each step is done only where
   * the one before it stands in the version of the catalog that it is made under.
   */
  private void remove(String table, String index) {
    State state = stateOf(table, index).orElseThrow(() -> noSuchIndex(table, index));
    if (state != State.REMOVED) {
      // Of this call: while it rests, another may have been through all of it and a build.
      UUID drop = UUID.randomUUID();
      Tuple note = CatalogKeys.build(table, index);
      changes.change(
          tx -> {
            tx.put(CatalogKeys.BUILDS, note, BuildState.first(drop));
            return changed(
                tx,
                table,
                kept ->
                    kept.index(index)
                        .filter(one -> one.state() != State.REMOVED)
                        .map(one -> kept.with(one.in(State.DROPPING)))
                        .orElseThrow(() -> goesOnElsewhere(table, index)));
          });
      // Until none reads by what it knew before.
      rest(GRACE);
      changes.change(
          tx -> {
            boolean isOwn =
                tx.get(CatalogKeys.BUILDS, note)
                    .filter(noted -> noted.build().equals(drop))
                    .isPresent();
            return changed(
                tx,
                table,
                kept ->
                    kept.index(index)
                        .filter(one -> isOwn && one.state() == State.DROPPING)
                        .map(one -> kept.with(one.in(State.REMOVED)))
                        .orElseThrow(() -> goesOnElsewhere(table, index)));
          });
    }
    deleteWhile(
        CatalogKeys.OWN,
        CatalogKeys.entriesOf(table, index),
        tx ->
            tx.catalogVersion()
                .table(table)
                .flatMap(kept -> kept.index(index))
                .filter(one -> one.state() == State.REMOVED)
                .isPresent(),
        () -> goesOnElsewhere(table, index));
  }

  private static void requireRemoved(TableDescription kept, String index) {
    if (kept.index(index).filter(one -> one.state() == State.REMOVED).isEmpty()) {
      throw goesOnElsewhere(kept.name(), index);
    }
  }

  private Optional<State> stateOf(String table, String index) {
    return table(table).flatMap(kept -> kept.index(index)).map(IndexDescription::state);
  }

  /**
   * Deletes keys whose deletion the catalog allows, and no others: a transaction that was made
   * under another version is not committed (rule 27).
   *
   * @return how many
   */
  private long deleteWhile(
      Table<Bytes> table,
      TupleRange range,
      Predicate<TypedTransaction> allowed,
      Supplier<WrongArgumentException> otherwise) {
    long deleted = 0;
    TupleRange rest = range;
    while (true) {
      TupleRange from = rest;
      List<Tuple> keys =
          session.transact(
              tx -> {
                TypedTransaction typed = (TypedTransaction) tx;
                if (!allowed.test(typed)) {
                  throw otherwise.get();
                }
                List<Tuple> some = tx.scan(table, from).limit(DELETED_AT_ONCE).keys().toList();
                some.forEach(key -> typed.deleteUnchecked(table, key));
                return some;
              });
      deleted += keys.size();
      if (keys.size() < DELETED_AT_ONCE) {
        return deleted;
      }
      rest = from.startingAt(keys.get(keys.size() - 1));
    }
  }

  /**
   * Drops a table that the catalog knows: its records, the entries of its indexes, and what the
   * catalog says of it. From its beginning on no program writes the table; what is read meanwhile
   * is what is left. If it fails, the same call goes on with it.
   *
   * @return how many records it had
   */
  public long dropTable(String name) {
    boolean wasRead = hasReadableIndex(name);
    changes.change(
        tx -> {
          TableRename.requireNone(tx, name);
          return changed(tx, name, TableDescription::beingDropped);
        });
    return deleteDropped(name, wasRead);
  }

  private boolean hasReadableIndex(String table) {
    return table(table).map(TableDescription::indexes).stream()
        .flatMap(List::stream)
        .anyMatch(IndexDescription::isReadable);
  }

  /** As {@link #rename(Table, Table, LongConsumer)}, without telling how far it is. */
  public <V> long rename(Table<V> from, Table<V> to) {
    return rename(from, to, records -> {});
  }

  /**
   * Gives a table another name, with its records as they are stored, their lifetimes, and the
   * indexes that the other declares; some hundred records a transaction. Until it is over no
   * program writes either name, and none reads by an index; each record is under one of the two.
   * Then the new one is a table as any other, and the old one is refused until {@link #dropTable}
   * frees it. If it fails, the same call goes on with it; the other way round it goes back.
   *
   * <p>So programs stop writing, or their next release uses the new name and waits. A feed of
   * changes of the old name sees deletions. Streams of {@link org.ecstore.client.large.LargeValues}
   * are two tables, and stay as they are called.
   *
   * @param from as it is declared so far
   * @param to the same with the other name: no record may have it
   * @param progress is told from time to time how many records this call has moved
   * @return how many records this call has moved; 0 if it was renamed so before
   * @throws WrongArgumentException if there is no such table, the new name is in use, or another
   *     call goes on with the rename
   */
  public <V> long rename(Table<V> from, Table<V> to, LongConsumer progress) {
    requireUsable(from.name());
    requireUsable(to.name());
    TableRename<V> rename = new TableRename<>(session, store, from, to);
    if (table(from.name()).isEmpty()
        && session.<Boolean, RuntimeException>read(at -> at.scan(from).first().isEmpty())) {
      throw new WrongArgumentException(
          "there is no such table to be renamed", null, "table", from.name());
    }
    boolean wasRead = hasReadableIndex(from.name());
    changes.change(rename::begin);
    if (!session.<Boolean, RuntimeException>read(rename::isOwn)) {
      // It was done before.
      return 0;
    }
    if (wasRead) {
      // Who reads by an index reads the records that it names.
      rest(GRACE);
    }
    long moved = rename.move(progress);
    deleteWhile(
        CatalogKeys.OWN, CatalogKeys.entriesOf(from.name()), rename::isOwn, rename::overtaken);
    changes.change(rename::end);
    return moved;
  }

  private long deleteDropped(String name, boolean wasRead) {
    if (wasRead) {
      // Who reads by an index reads the records that it names.
      rest(GRACE);
    }
    Predicate<TypedTransaction> isDropped =
        tx -> tx.catalogVersion().table(name).filter(TableDescription::dropped).isPresent();
    Supplier<WrongArgumentException> otherwise =
        () ->
            new WrongArgumentException(
                "another program has dropped the table meanwhile", null, "table", name);
    long deleted =
        deleteWhile(Table.of(name, Codec.bytes()), TupleRange.all(), isDropped, otherwise);
    deleteWhile(CatalogKeys.OWN, CatalogKeys.entriesOf(name), isDropped, otherwise);
    changes.change(
        tx -> {
          TableDescription kept =
              tx.get(CatalogKeys.TABLES, CatalogKeys.table(name))
                  .filter(TableDescription::dropped)
                  .orElseThrow(otherwise);
          kept.indexes()
              .forEach(
                  index -> tx.delete(CatalogKeys.BUILDS, CatalogKeys.build(name, index.name())));
          tx.delete(CatalogKeys.TABLES, CatalogKeys.table(name));
          tx.delete(CatalogKeys.SCHEMAS, CatalogKeys.values(name));
          tx.delete(CatalogKeys.RENAMES, CatalogKeys.rename(name));
          return kept;
        });
    return deleted;
  }

  /**
   * Deletes all records of a table, with the entries of its indexes, as one transaction: for tables
   * as tests have them. {@link Session#deleteRange} of the declared table knows no limit.
   *
   * @return how many records it had
   * @throws TooLargeException if there are more than a transaction takes
   */
  public long truncate(String name) {
    requireUsable(name);
    return session.transact(
        tx -> {
          TypedTransaction typed = (TypedTransaction) tx;
          Table<Bytes> table = Table.of(name, Codec.bytes());
          List<Tuple> keys = tx.scan(table).keys().toList();
          keys.forEach(key -> typed.deleteUnchecked(table, key));
          tx.scan(CatalogKeys.OWN, CatalogKeys.entriesOf(name))
              .keys()
              .forEach(key -> typed.deleteUnchecked(CatalogKeys.OWN, key));
          return (long) keys.size();
        });
  }

  /** Asks the store nothing: a debugger or a log may want it. */
  @Override
  public String toString() {
    return "the store's catalog";
  }
}
