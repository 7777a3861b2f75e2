package org.ecstore.sim.mutant;

/**
 * How a mutant's run of one seed ended.
 *
 * @param detail what was seen; empty if nothing
 * @param reached how often the changed instruction was executed
 * @param steps how often loops went round
 */
public record SeedEnd(Found found, String detail, long reached, long steps) {
  /** How a mutant shows. */
  public enum Found {
    NOT_AT_ALL("not found"),
    /** A checker saw a promise broken. */
    VIOLATION("violation"),
    /** A node, or the run, ended by an exception. */
    FAILURE("failure"),
    /** Something that must end did not. */
    NO_PROGRESS("no progress");

    private final String words;

    Found(String words) {
      this.words = words;
    }

    /** In words. */
    public String words() {
      return words;
    }
  }
}
