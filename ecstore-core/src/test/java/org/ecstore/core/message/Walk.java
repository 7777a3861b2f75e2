package org.ecstore.core.message;

import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** A family of one message, for tests. */
record Walk(long steps) implements NodeMessage {
  record Codec(int typeMin, int typeMax) implements MessageCodec<Walk> {
    Codec(int type) {
      this(type, type);
    }

    @Override
    public Class<Walk> family() {
      return Walk.class;
    }

    @Override
    public void write(WireWriter out, Walk message) {
      out.varint(typeMin).i64(message.steps());
    }

    @Override
    public Walk read(int type, WireReader in) {
      return new Walk(in.i64());
    }
  }
}
