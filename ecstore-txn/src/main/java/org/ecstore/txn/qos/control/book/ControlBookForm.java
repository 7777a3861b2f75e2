package org.ecstore.txn.qos.control.book;

import org.ecstore.key.Bytes;
import org.ecstore.model.control.ControlFields;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ObjectiveFields;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of the controller's book in coordination; the first says their form. */
public final class ControlBookForm implements KeptBook.Form<ControlBook> {
  private static final int FORM = 1;

  @Override
  public ControlBook empty() {
    return ControlBook.EMPTY;
  }

  @Override
  public Bytes encode(ControlBook book) {
    WireWriter out = new WireWriter().u8(FORM);
    ControlFields.writeSettings(out, book.settings());
    out.list(book.caps(), (to, cap) -> to.text(cap.application()).varint(cap.perSecond()));
    out.list(book.added(), WireWriter::node);
    out.varint(book.lastNode()).varint(book.patience());
    out.list(book.actions(), ControlFields::writeAction);
    return out.toBytes();
  }

  @Override
  public ControlBook decode(Bytes bytes) {
    WireReader in = new WireReader(bytes);
    int form = in.u8();
    if (form != FORM) {
      throw new MalformedMessageException(
          "what the controller does, in form " + form + ", which is not known");
    }
    ControlBook book =
        new ControlBook(
            ControlFields.readSettings(in),
            in.list(
                ServiceLimit.LIMITS_MAX, from -> new ControlBook.Cap(from.text(), from.natural())),
            in.list(ControlBook.ADDED_MAX, WireReader::node),
            in.natural(),
            ObjectiveFields.readInt(in),
            in.list(ControlBook.ACTIONS_MAX, ControlFields::readAction));
    in.expectEnd();
    return book;
  }
}
