package org.ecstore.core.message;

import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** A family of two messages, for tests. */
sealed interface Talk extends NodeMessage {
  record Say(String text, long number) implements Talk {}

  record Listen() implements Talk {}

  /** Types typeMin and typeMin + 1. */
  record Codec(int typeMin) implements MessageCodec<Talk> {
    @Override
    public Class<Talk> family() {
      return Talk.class;
    }

    @Override
    public int typeMax() {
      return typeMin + 1;
    }

    @Override
    public void write(WireWriter out, Talk message) {
      switch (message) {
        case Say(String text, long number) -> out.varint(typeMin).text(text).varint(number);
        case Listen() -> out.varint(typeMin + 1);
      }
    }

    @Override
    public Talk read(int type, WireReader in) {
      if (type == typeMin) {
        return new Say(in.text(), in.varint());
      } else if (type == typeMin + 1) {
        return new Listen();
      }
      throw new MalformedMessageException("unknown talk: " + type);
    }
  }
}
