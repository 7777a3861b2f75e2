package org.ecstore.verify.check;

import java.util.List;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.verify.history.Attempt;

/**
 * What a history is held to: how transactions are isolated, and how fresh what they read is.
 *
 * @param start of those that do not say it themselves
 */
public record Promise(Isolation isolation, ReadLevel start) {
  boolean serializable() {
    return isolation == Isolation.SERIALIZABLE;
  }

  /** How fresh the snapshot of a transaction was to be. */
  ReadLevel level(Attempt attempt) {
    return attempt.level().orElse(start);
  }

  /** What the transactions of a history are held to together. */
  String title(List<Attempt> attempts) {
    List<ReadLevel> levels = attempts.stream().map(this::level).distinct().toList();
    return levels.size() == 1
        ? new Promise(isolation, levels.getFirst()).title()
        : isolated() + ", with each transaction's own level of freshness";
  }

  /** Its name in the literature. */
  String title() {
    return switch (start.kind()) {
      case STRONG -> serializable() ? "strict serializability" : "strong snapshot isolation";
      case BOUNDED, SESSION -> isolated() + " in session order";
      case LOCAL -> isolated();
    };
  }

  private String isolated() {
    return serializable() ? "serializability" : "snapshot isolation";
  }
}
