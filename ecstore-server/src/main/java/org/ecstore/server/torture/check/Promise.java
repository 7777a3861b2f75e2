package org.ecstore.server.torture.check;

import org.ecstore.wire.client.Isolation;
import org.ecstore.wire.client.ReadLevel;

/** What a history is held to: how transactions are isolated, and how fresh what they read is. */
public record Promise(Isolation isolation, ReadLevel start) {
  boolean serializable() {
    return isolation == Isolation.SERIALIZABLE;
  }

  boolean strong() {
    return start.kind() == ReadLevel.Kind.STRONG;
  }

  /** Its name in the literature. */
  public String title() {
    if (serializable()) {
      return strong() ? "strict serializability" : "serializability in session order";
    }
    return strong() ? "strong snapshot isolation" : "snapshot isolation in session order";
  }
}
