package org.ecstore.txn.qos.objective;

import org.ecstore.key.Bytes;
import org.ecstore.model.objective.ObjectiveFields;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of a book in coordination; the first says their form. */
public final class ObjectiveBookCodec {
  private static final int FORM = 1;

  /** How it is kept. */
  static final KeptBook.Form<ObjectiveBook> FORM_OF_BOOK =
      new KeptBook.Form<>() {
        @Override
        public ObjectiveBook empty() {
          return ObjectiveBook.EMPTY;
        }

        @Override
        public Bytes encode(ObjectiveBook book) {
          return ObjectiveBookCodec.encode(book);
        }

        @Override
        public ObjectiveBook decode(Bytes bytes) {
          return ObjectiveBookCodec.decode(bytes);
        }
      };

  private ObjectiveBookCodec() {}

  /** The bytes of a book. */
  public static Bytes encode(ObjectiveBook book) {
    WireWriter out = new WireWriter().u8(FORM);
    out.list(
        book.promises(),
        (to, promise) -> {
          ObjectiveFields.write(to, promise.objective());
          to.varint(promise.sinceMillis());
        });
    out.list(
        book.changes(),
        (to, change) -> {
          to.varint(change.number()).i64(change.request()).varint(change.atMillis());
          to.bool(change.removed());
          ObjectiveFields.write(to, change.objective());
        });
    return out.toBytes();
  }

  /**
   * A book.
   *
   * @throws MalformedMessageException if it is of a release that is not known here, or damaged
   */
  public static ObjectiveBook decode(Bytes bytes) {
    WireReader in = new WireReader(bytes);
    int form = in.u8();
    if (form != FORM) {
      throw new MalformedMessageException("objectives of form " + form + ", which is not known");
    }
    ObjectiveBook book =
        new ObjectiveBook(
            in.list(
                ObjectiveBook.PROMISES_MAX,
                from -> new Promise(ObjectiveFields.read(from), from.natural())),
            in.list(
                ObjectiveBook.CHANGES_MAX,
                from ->
                    new ObjectiveChange(
                        from.natural(),
                        from.i64(),
                        from.natural(),
                        from.bool(),
                        ObjectiveFields.read(from))));
    in.expectEnd();
    return book;
  }
}
