package org.ecstore.bench.elastic;

/**
 * Something that a run aims at.
 *
 * @param found the figures that decide
 */
record ElasticGoal(String goal, Is is, String found) {
  /** What a run says of a goal. */
  enum Is {
    HELD("held"),
    NOT_HELD("not held"),
    /** The run is not of a kind that could show it. */
    NOT_SHOWN("not shown");

    private final String words;

    Is(String words) {
      this.words = words;
    }

    static Is of(boolean isHeld) {
      return isHeld ? HELD : NOT_HELD;
    }

    /** For people. */
    String words() {
      return words;
    }
  }
}
