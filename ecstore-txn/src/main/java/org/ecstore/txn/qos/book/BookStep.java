package org.ecstore.txn.qos.book;

import org.ecstore.txn.steward.decision.Decision.Outcome;

/**
 * What is done to a book for a request whose turn it is.
 *
 * @param <B> what is kept; immutable
 */
public sealed interface BookStep<B> {
  /** What is said of a change that coordination has. */
  String TAKEN = "it stands";

  /** Nothing is changed: the request is over. */
  record Ended<B>(Outcome outcome, String detail) implements BookStep<B> {}

  /**
   * The book is changed; the request is over when coordination has the change.
   *
   * @param taken run then, before the request is over
   */
  record Changed<B>(B after, Runnable taken, Outcome outcome, String detail)
      implements BookStep<B> {}

  /**
   * It waits, and so do those behind it, until it can be said what to do for it.
   *
   * @param why it cannot be said yet
   */
  record NotYet<B>(String why) implements BookStep<B> {}

  /** It is not done. */
  static <B> BookStep<B> refused(String why) {
    return new Ended<>(Outcome.REFUSED, why);
  }

  /** The book is already what was asked for. */
  static <B> BookStep<B> asItWas() {
    return new Ended<>(Outcome.DONE, "it is as it was");
  }

  /** The book becomes another. */
  static <B> BookStep<B> kept(B after) {
    return kept(after, TAKEN);
  }

  /** As above, with what is said of it. */
  static <B> BookStep<B> kept(B after, String detail) {
    return new Changed<>(after, () -> {}, Outcome.DONE, detail);
  }
}
