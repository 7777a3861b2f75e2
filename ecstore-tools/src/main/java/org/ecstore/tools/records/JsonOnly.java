package org.ecstore.tools.records;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/**
 * Records for a table, held against what the catalog says of its values: JSON goes where JSON or
 * text is, and nowhere else. A table that is empty, and that the catalog does not know, is entered
 * as one of JSON with its first record that has an object or a list.
 */
public final class JsonOnly implements RecordSource {
  private static final List<String> FORMATS = List.of("JSON", "text");

  private final RecordSource source;
  private final EcStore store;
  private final Table<Bytes> table;
  private boolean asked;
  private Optional<ValueSchema> schema = Optional.empty();

  /** Of a store's table. */
  public JsonOnly(RecordSource source, EcStore store, Table<Bytes> table) {
    this.source = source;
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

  @Override
  public Optional<RecordLine> next() throws IOException, BadRecordException {
    Optional<RecordLine> line = source.next();
    if (line.isPresent()) {
      requireFits(line.get());
    }
    return line;
  }

  private void requireFits(RecordLine line) throws BadRecordException {
    if (!asked) {
      if (isContainer(line.value()) && isNew()) {
        store.catalog().open(Table.of(table.name(), new StoredJson()));
      }
      schema = store.catalog().schema(table.name());
      asked = true;
    }
    if (schema.isPresent()
        && schema.get().formats().stream().noneMatch(FORMATS::contains)
        && RecordJson.written(line.value()).kind().equals(RecordJson.VALUE)) {
      throw new BadRecordException(
          "the value is JSON, and those of table "
              + table.name()
              + " are stored as "
              + String.join(" and ", schema.get().formats())
              + ": a program that declares the table writes it");
    }
  }

  private boolean isNew() {
    return store.catalog().table(table.name()).isEmpty()
        && store.<Boolean, RuntimeException>read(at -> at.scan(table).first().isEmpty());
  }

  private static boolean isContainer(Bytes value) {
    return value.length() > 0
        && (value.array()[0] == '{' || value.array()[0] == '[')
        && RecordJson.written(value).kind().equals(RecordJson.VALUE);
  }

  @Override
  public long number() {
    return source.number();
  }

  @Override
  public long line() {
    return source.line();
  }
}
