package org.ecstore.core.message;

import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;

/** A family of one message, for tests. */
record Walk(long steps) implements NodeMessage {
  /** With the lowest of an interval of numbers. */
  static MessageTable<Walk> table(int numberMin, int numberMax) {
    return MessageTable.of(Walk.class, "walk", numberMin, numberMax)
        .row(numberMin, Walk.class, (out, walk) -> out.i64(walk.steps()), Walk::read)
        .build();
  }

  private static Walk read(WireReader in) {
    return new Walk(in.i64());
  }
}
