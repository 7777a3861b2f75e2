package org.ecstore.core.message;

import org.ecstore.wire.MessageTable;

/** A family of two messages, for tests. */
sealed interface Talk extends NodeMessage {
  record Say(String text, long number) implements Talk {}

  record Listen() implements Talk {}

  /** Numbers first and first + 1. */
  static MessageTable<Talk> table(int first) {
    return MessageTable.of(Talk.class, "talk", first, first + 1)
        .row(
            first,
            Say.class,
            (out, say) -> out.text(say.text()).varint(say.number()),
            in -> new Say(in.text(), in.varint()))
        .row(first + 1, Listen.class, (out, listen) -> {}, in -> new Listen())
        .build();
  }
}
