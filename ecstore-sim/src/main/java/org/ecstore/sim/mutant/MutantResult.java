package org.ecstore.sim.mutant;

import java.util.List;

/**
 * What came of one mutant.
 *
 * @param draw the seed that drew it
 * @param rules those that its class cites
 * @param seed the seed that found it; 0 if none did
 * @param seeds how many seeds were run
 * @param reached how often the changed instruction was executed in all of them
 * @param detail how it was found, or why it is equivalent
 */
public record MutantResult(
    long draw,
    Mutant mutant,
    List<Integer> rules,
    State state,
    SeedEnd.Found how,
    long seed,
    int seeds,
    long reached,
    String detail) {
  /** Whether it counts, and for what. */
  public enum State {
    FOUND("found"),
    EQUIVALENT("equivalent"),
    NOT_FOUND("not found"),
    NOT_REACHED("never reached");

    private final String words;

    State(String words) {
      this.words = words;
    }

    /** In words. */
    public String words() {
      return words;
    }
  }

  public MutantResult {
    rules = List.copyOf(rules);
  }
}
