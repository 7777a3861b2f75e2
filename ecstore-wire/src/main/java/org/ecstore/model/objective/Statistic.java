package org.ecstore.model.objective;

import java.util.Optional;

/** What of many response times is meant. */
public enum Statistic {
  MEAN("mean"),
  P95("p95"),
  P99("p99");

  private final String word;

  Statistic(String word) {
    this.word = word;
  }

  /** For people and files: {@code p99}. */
  public String word() {
    return word;
  }

  /** The statistic of that word. */
  public static Optional<Statistic> of(String word) {
    for (Statistic one : values()) {
      if (one.word.equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
