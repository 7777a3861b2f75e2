package org.ecstore.bench.figure;

/** What repetitions say of a claim. */
public enum Verdict {
  /** Every repetition agrees with it. */
  HOLDS("holds"),
  /** Every repetition contradicts it. */
  DOES_NOT_HOLD("does not hold"),
  /** Repetitions differ by more than what is claimed, or there are fewer than five. */
  NOT_SHOWN("not shown");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  /** For people. */
  public String words() {
    return words;
  }
}
