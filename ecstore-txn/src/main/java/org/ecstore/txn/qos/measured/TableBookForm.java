package org.ecstore.txn.qos.measured;

import org.ecstore.key.Bytes;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of the tables in coordination; the first says their form. */
public final class TableBookForm implements KeptBook.Form<TableBook> {
  private static final int FORM = 1;

  @Override
  public TableBook empty() {
    return TableBook.EMPTY;
  }

  @Override
  public Bytes encode(TableBook book) {
    WireWriter out = new WireWriter().u8(FORM);
    out.list(
        book.tables(),
        (to, table) -> to.text(table.name()).text(table.text()).varint(table.sinceMillis()));
    out.list(
        book.changes(),
        (to, change) -> {
          to.varint(change.number()).i64(change.request()).varint(change.atMillis());
          to.bool(change.isRemoved()).text(change.name());
        });
    return out.toBytes();
  }

  @Override
  public TableBook decode(Bytes bytes) {
    WireReader in = new WireReader(bytes);
    int form = in.u8();
    if (form != FORM) {
      throw new MalformedMessageException("tables in form " + form + ", which is not known");
    }
    TableBook book =
        new TableBook(
            in.list(
                TableBook.TABLES_MAX,
                from -> new KeptTable(from.text(), from.text(), from.natural())),
            in.list(
                TableBook.CHANGES_MAX,
                from ->
                    new TableChange(
                        from.natural(), from.i64(), from.natural(), from.bool(), from.text())));
    in.expectEnd();
    return book;
  }
}
