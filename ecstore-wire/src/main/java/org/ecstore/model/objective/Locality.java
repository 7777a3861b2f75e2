package org.ecstore.model.objective;

import java.util.Optional;

/** How an application's requests are spread over its records. */
public enum Locality {
  /** Few records have most of them. */
  ZIPF("zipf"),
  /** Each record has as many as any other. */
  UNIFORM("uniform");

  private final String word;

  Locality(String word) {
    this.word = word;
  }

  /** For people and files: {@code zipf}. */
  public String word() {
    return word;
  }

  /** The locality of that word. */
  public static Optional<Locality> of(String word) {
    for (Locality one : values()) {
      if (one.word.equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
