package org.ecstore.model.objective;

import java.util.Optional;

/** What a cluster owes an application where there is not enough for all. */
public enum ServiceClass {
  /** Its response times are kept while its load is within what it has stated. */
  GUARANTEED("guaranteed"),
  /** It has what the others leave. */
  BEST_EFFORT("best-effort");

  private final String word;

  ServiceClass(String word) {
    this.word = word;
  }

  /** For people and files: {@code best-effort}. */
  public String word() {
    return word;
  }

  /** The class of that word. */
  public static Optional<ServiceClass> of(String word) {
    for (ServiceClass one : values()) {
      if (one.word.equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
