package org.ecstore.core.testing;

import org.ecstore.core.ledger.LedgerCodec;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.message.MessageCodec;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** A message that carries a ledger record, for tests. */
record RecordMessage(LedgerRecord record) implements NodeMessage {
  /** One type, number 1000. */
  record Codec() implements MessageCodec<RecordMessage> {
    private static final int TYPE = 1000;

    @Override
    public Class<RecordMessage> family() {
      return RecordMessage.class;
    }

    @Override
    public int typeMin() {
      return TYPE;
    }

    @Override
    public int typeMax() {
      return TYPE;
    }

    @Override
    public void write(WireWriter out, RecordMessage message) {
      LedgerCodec.write(out.varint(TYPE), message.record());
    }

    @Override
    public RecordMessage read(int type, WireReader in) {
      return new RecordMessage(LedgerCodec.read(in));
    }
  }
}
