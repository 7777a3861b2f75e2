package org.ecstore.sim.mutant;

/** What is changed in a mutant. */
public enum Kind {
  /** A condition holds when it did not, and the other way round. */
  NEGATED("the condition is negated"),
  /** {@code <} is {@code <=}, {@code >} is {@code >=}, and the other way round. */
  BOUNDARY("the boundary belongs to the other side"),
  /** A condition always sends control to the jump's target, mostly past what it guards. */
  ALWAYS_JUMPS("the condition always jumps, mostly past what it guards"),
  /** A condition never jumps: what it guards is always done. */
  NEVER_JUMPS("the condition never jumps: what follows is always done"),
  /** A question is always answered with yes. */
  ALWAYS_TRUE("the answer is always yes"),
  /** A question is always answered with no. */
  ALWAYS_FALSE("the answer is always no"),
  /** One is neither added nor taken away, or the next position is this one. */
  OFF_BY_ONE("one less, or one more"),
  /** A call whose answer is not used is not made. */
  DROPPED_CALL("a call is left out");

  private final String words;

  Kind(String words) {
    this.words = words;
  }

  /** What is changed, for people. */
  public String words() {
    return words;
  }
}
