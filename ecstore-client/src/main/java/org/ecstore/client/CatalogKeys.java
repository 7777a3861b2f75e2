package org.ecstore.client;

import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Where the store keeps its catalog, and the entries of indexes (decision 0064), all in table
 * {@code ecstore}:
 *
 * <pre>
 *   ("catalog")                             the version, 8 bytes
 *   ("catalog", table)                      a {@link TableDescription}
 *   ("catalog-values", table)               a {@link ValueSchema}
 *   ("catalog-rename", table)               that the table is being renamed, or was
 *   ("index-build", table, index)           how far a build has come
 *   ("index", table, index, value..., key)  an entry, of an index that is not unique
 *   ("index", table, index, value...)       one of a unique index: the record's key is in its value
 * </pre>
 */
final class CatalogKeys {
  static final Table<Bytes> OWN = Table.of(StoredTokenKey.TABLE.name(), Codec.bytes());
  static final Table<Long> VERSIONS = Table.of(OWN.name(), Codec.longs());
  static final Table<TableDescription> TABLES =
      Table.of(OWN.name(), Codec.record(TableDescription.class));
  static final Table<ValueSchema> SCHEMAS = Table.of(OWN.name(), Codec.record(ValueSchema.class));
  static final Table<TableRename.Note> RENAMES =
      Table.of(OWN.name(), Codec.record(TableRename.Note.class));
  static final Table<BuildState> BUILDS = Table.of(OWN.name(), Codec.record(BuildState.class));

  static final Tuple VERSION = Tuple.of("catalog");

  private CatalogKeys() {}

  /** Where a table is described. */
  static Tuple table(String name) {
    return Tuple.of("catalog", name);
  }

  /** What the values of tables consist of. */
  static final Tuple VALUES = Tuple.of("catalog-values");

  /** What the values of a table consist of: beside its description, which earlier releases read. */
  static Tuple values(String table) {
    return VALUES.append(table);
  }

  /** Renames of tables. */
  static final Tuple RENAME = Tuple.of("catalog-rename");

  /** Where it is noted that a table is being renamed. */
  static Tuple rename(String table) {
    return RENAME.append(table);
  }

  /** What the keys of an index's entries begin with. */
  static Tuple entries(String table, String index) {
    return Tuple.of(OWN.name(), "index", table, index);
  }

  /** The same as keys of {@link #OWN}. */
  static TupleRange entriesOf(String table, String index) {
    return TupleRange.prefix(Tuple.of("index", table, index));
  }

  /** The entries of all indexes of a table. */
  static TupleRange entriesOf(String table) {
    return TupleRange.prefix(Tuple.of("index", table));
  }

  /** Where a build notes how far it has come. */
  static Tuple build(String table, String index) {
    return Tuple.of("index-build", table, index);
  }
}
