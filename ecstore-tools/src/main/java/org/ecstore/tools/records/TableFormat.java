package org.ecstore.tools.records;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/**
 * What the catalog says of a table's values, for records that come and go: JSON goes where JSON or
 * text is, and nowhere else. A table that is empty, and that the catalog does not know, is entered
 * as one of JSON with its first record that has an object or a list.
 */
public final class TableFormat {
  private static final List<String> OF_TEXT = List.of("JSON", "text");

  private final EcStore store;
  private final Table<Bytes> table;
  private boolean asked;
  private Optional<ValueSchema> schema = Optional.empty();

  /** Of a store's table. */
  public TableFormat(EcStore store, Table<Bytes> table) {
    this.store = store;
    this.table = table;
  }

  /** Values as they are stored, which are JSON. */
  private static final class StoredJson implements Codec<Bytes> {
    @Override
    public Optional<ValueSchema> schema() {
      return Optional.of(ValueSchema.of("JSON"));
    }

    @Override
    public Bytes encode(Bytes value) {
      return value;
    }

    @Override
    public Bytes decode(Bytes encoded) {
      return encoded;
    }
  }

  /** Whether values are known to be neither JSON nor text, whatever they look like. */
  public boolean isOpaque() {
    return isOpaque(store.catalog().schema(table.name()));
  }

  private static boolean isOpaque(Optional<ValueSchema> schema) {
    return schema.isPresent() && schema.get().formats().stream().noneMatch(OF_TEXT::contains);
  }

  /**
   * A record comes for the table.
   *
   * @throws BadRecordException if its value is JSON, and the table has none
   */
  void requireFits(RecordLine line) throws BadRecordException {
    if (!asked) {
      if (line.isJson() && isContainer(line.value()) && isNew()) {
        enter();
      }
      schema = store.catalog().schema(table.name());
      asked = true;
    }
    if (line.isJson() && isOpaque(schema)) {
      throw new BadRecordException(
          "the value is JSON, and those of table "
              + table.name()
              + " are stored as "
              + String.join(" and ", schema.orElseThrow().formats())
              + ": a program that declares the table writes it");
    }
  }

  /** The records are as good in a table that the catalog does not know. */
  private void enter() {
    try {
      store.catalog().open(Table.of(table.name(), new StoredJson()));
    } catch (EcStoreException e) {
      // Such as one that has as many tables as it may.
    }
  }

  private boolean isNew() {
    return store.catalog().table(table.name()).isEmpty()
        && store.<Boolean, RuntimeException>read(at -> at.scan(table).first().isEmpty());
  }

  private static boolean isContainer(Bytes value) {
    return value.length() > 0 && (value.array()[0] == '{' || value.array()[0] == '[');
  }
}
