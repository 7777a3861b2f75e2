package org.ecstore.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.id.Position;

/**
 * The catalog as of one version, as a client has read it. Immutable but for what it remembers of
 * declarations that it was held against; safe for use by several threads.
 *
 * @see CatalogCache
 */
final class CatalogVersion {
  /** As long as nothing was read: no table is in it. */
  static final CatalogVersion NONE = new CatalogVersion(0, Map.of(), Map.of(), Position.ZERO, 0);

  /** So many declarations of tables are remembered: a program makes them once. */
  private static final int USES_MAX = 1_000;

  private final long number;
  private final Map<String, TableDescription> tables;
  private final Map<String, ValueSchema> schemas;
  private final Position since;
  private final long confirmedNanos;
  private final Map<Table<?>, List<Maintained<?>>> uses = new ConcurrentHashMap<>();

  /**
   * @param since from where on it is known to be the newest: to any snapshot from there to the one
   *     at which it was confirmed
   * @param confirmedNanos when the client began the read that found it to be the newest
   */
  CatalogVersion(
      long number,
      Map<String, TableDescription> tables,
      Map<String, ValueSchema> schemas,
      Position since,
      long confirmedNanos) {
    this.number = number;
    this.tables = Map.copyOf(tables);
    this.schemas = Map.copyOf(schemas);
    this.since = since;
    this.confirmedNanos = confirmedNanos;
  }

  /** An index that writes of records are entered in. */
  record Maintained<V>(Index<V> index, IndexDescription.State state) {}

  long number() {
    return number;
  }

  Position since() {
    return since;
  }

  long confirmedNanos() {
    return confirmedNanos;
  }

  Map<String, TableDescription> tables() {
    return tables;
  }

  Optional<TableDescription> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /** What the values of a table consist of; absent if no codec has said it. */
  Optional<ValueSchema> schema(String table) {
    return Optional.ofNullable(schemas.get(table));
  }

  /**
   * The indexes that writes of a table's records are entered in: none if the catalog has none.
   *
   * @throws WrongArgumentException if a program with this declaration may not write the table
   */
  <V> List<Maintained<V>> maintained(Table<V> table) {
    TableDescription kept = tables.get(table.name());
    if (kept == null) {
      return List.of();
    }
    List<Maintained<?>> known = uses.get(table);
    if (known == null) {
      schema(table.name()).ifPresent(stored -> requireReads(table, stored));
      known = List.copyOf(checked(table, kept));
      if (uses.size() < USES_MAX) {
        uses.put(table, known);
      }
    }
    return ofTable(known);
  }

  /** They were made from this table. */
  @SuppressWarnings("unchecked")
  private static <V> List<Maintained<V>> ofTable(List<Maintained<?>> known) {
    return (List<Maintained<V>>) (List<?>) known;
  }

  private static <V> List<Maintained<?>> checked(Table<V> table, TableDescription kept) {
    if (kept.dropped()) {
      throw new WrongArgumentException(
          "the table was renamed, or is being dropped or renamed, and takes no writes: once that is"
              + " over, store.catalog().dropTable has the name used again",
          null,
          "table",
          table.name());
    }
    if (kept.lifetime().isPresent() != table.lifetime().isPresent()) {
      throw new WrongArgumentException(
          kept.lifetime().isPresent()
              ? "the table's records expire, and this program does not declare it so: make it with"
                  + " expiringAfter"
              : "the table's records do not expire by the catalog, and this program declares that"
                  + " they do: open it with store.catalog().open first",
          null,
          "table",
          table.name());
    }
    List<Maintained<?>> all = new ArrayList<>();
    for (IndexDescription index : kept.indexes()) {
      if (index.isMaintained()) {
        all.add(new Maintained<>(declared(table, index), index.state()));
      }
    }
    return all;
  }

  /**
   * Throws unless a table's codec reads what the catalog says of its values: a program whose codec
   * does not would lose a part of a record that it writes again.
   */
  static void requireReads(Table<?> table, ValueSchema stored) {
    table
        .codec()
        .unreadable(stored)
        .ifPresent(
            why -> {
              throw new WrongArgumentException(
                  "the table's values are not what this program declares; if none is stored so any"
                      + " more, store.catalog().forgetSchema has it said anew",
                  null,
                  "table",
                  table.name(),
                  "why",
                  why);
            });
  }

  private static <V> Index<V> declared(Table<V> table, IndexDescription kept) {
    Index<V> declared = table.declared().get(kept.name());
    if (declared == null) {
      throw new WrongArgumentException(
          "the table has an index that this program does not declare, so it may not write the"
              + " table: declare the index, or drop it with store.catalog().drop",
          null,
          "table",
          table.name(),
          "index",
          kept.name());
    }
    if (!declared.isAs(kept)) {
      throw differs(declared, kept);
    }
    return declared;
  }

  static WrongArgumentException differs(Index<?> declared, IndexDescription kept) {
    return new WrongArgumentException(
        "the index is declared otherwise than the catalog has it: declare it so, or make it anew"
            + " with store.catalog().rebuild",
        null,
        "table",
        declared.table().name(),
        "index",
        declared.name(),
        "declared",
        text(declared.description(kept.state())),
        "catalog",
        text(kept));
  }

  private static String text(IndexDescription index) {
    return (index.unique() ? "unique, " : "not unique, ")
        + (index.covering() ? "covering, " : "")
        + "version "
        + index.version();
  }

  /** An index as it is in this version. */
  Optional<IndexDescription> index(Index<?> index) {
    return table(index.table().name()).flatMap(kept -> kept.index(index.name()));
  }

  /** Whether an index may be read. */
  boolean isReadable(Index<?> index) {
    return index(index).filter(kept -> kept.isReadable() && index.isAs(kept)).isPresent()
        && !table(index.table().name()).orElseThrow().dropped();
  }

  /** The same, found to be the newest again. */
  CatalogVersion confirmed(long nanos) {
    CatalogVersion again = new CatalogVersion(number, tables, schemas, since, nanos);
    again.uses.putAll(uses);
    return again;
  }

  /** A catalog of descriptions. */
  static CatalogVersion of(
      long number,
      List<TableDescription> all,
      Map<String, ValueSchema> schemas,
      Position since,
      long confirmedNanos) {
    Map<String, TableDescription> byName = new HashMap<>();
    all.forEach(table -> byName.put(table.name(), table));
    return new CatalogVersion(number, byName, schemas, since, confirmedNanos);
  }
}
