package org.ecstore.client.observe;

import java.util.Optional;

/** An operation that an observer was told of, until its end. For the thread that it began on. */
@FunctionalInterface
public interface Observed {
  /** One that is not looked at. */
  Observed IGNORED = failure -> {};

  /**
   * The operation is over. Called once.
   *
   * @param failure why it was not done; absent if it was
   */
  void ended(Optional<Throwable> failure);
}
