package org.ecstore.core.message;

import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** A message whose codec is wrong: it writes a type number beyond its interval. */
record Other() implements NodeMessage {
  record Codec(int typeMin, int typeMax) implements MessageCodec<Other> {
    @Override
    public Class<Other> family() {
      return Other.class;
    }

    @Override
    public void write(WireWriter out, Other message) {
      out.varint(typeMax + 1);
    }

    @Override
    public Other read(int type, WireReader in) {
      return new Other();
    }
  }
}
