package org.ecstore.model.objective;

import java.util.Optional;

/** What of many response times is meant. */
public enum Statistic {
  MEAN("mean", 0.01),
  P95("p95", 0.05),
  P99("p99", 0.01);

  private final String word;
  private final double unanswered;

  Statistic(String word, double unanswered) {
    this.word = word;
    this.unanswered = unanswered;
  }

  /**
   * Which part of the operations may have no answer: of a percentile those that it leaves out, of a
   * mean as many as of the 99th. What has no answer has no response time, or an endless one.
   */
  public double unanswered() {
    return unanswered;
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
