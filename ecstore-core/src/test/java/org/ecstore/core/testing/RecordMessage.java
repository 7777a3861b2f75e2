package org.ecstore.core.testing;

import org.ecstore.core.ledger.LedgerCodec;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.wire.MessageTable;

/** A message that carries a ledger record, for tests. */
record RecordMessage(LedgerRecord record) implements NodeMessage {
  /** One row, number 1000. */
  static final MessageTable<RecordMessage> TABLE =
      MessageTable.of(RecordMessage.class, "record message", 1000, 1000)
          .row(
              1000,
              RecordMessage.class,
              (out, message) -> LedgerCodec.write(out, message.record()),
              in -> new RecordMessage(LedgerCodec.read(in)))
          .build();
}
