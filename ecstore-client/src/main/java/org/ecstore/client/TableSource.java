package org.ecstore.client;

import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.key.Tuple;

/** Records of a table, in the order of their keys. */
final class TableSource<V> implements ScanSource<V> {
  private final Table<V> table;

  TableSource(Table<V> table) {
    this.table = table;
  }

  /** One is found at once. */
  @Override
  public List<Row> rows(BytesReads reads, List<BytesScan.Found> found) {
    BytesScan.Found only = found.get(0);
    return List.of(new Row(only.key(), only.key(), only.value()));
  }

  @Override
  public Entry<V> entry(Row row) {
    return new Entry<>(table.tuple(row.key()), table.decode(row.key(), row.value()));
  }

  @Override
  public int prefixBytes() {
    return table.keys().start().length();
  }

  @Override
  public void requireValues(String what) {
    if (table.lifetime().isPresent()) {
      throw new WrongArgumentException(
          "values of a table that expires begin with when, and " + what,
          null,
          "table",
          table.name());
    }
    if (!table.codec().schema().equals(LongCodec.INSTANCE.schema())) {
      throw new WrongArgumentException(
          "values are not those of Codec.longs(), and " + what, null, "table", table.name());
    }
  }

  @Override
  public Tuple key(BytesScan.Found found) {
    return table.tuple(found.key());
  }
}
