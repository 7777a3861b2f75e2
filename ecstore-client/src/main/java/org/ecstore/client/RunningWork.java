package org.ecstore.client;

import org.ecstore.client.error.WrongArgumentException;

/**
 * Which threads are running work in a transaction of a store, so that such work does not begin
 * another one by mistake: that one would not see what the first has written, be committed whatever
 * becomes of the first, and be run again with it. Safe for use by several threads.
 *
 * <p>Joining the outer transaction instead, as some frameworks do, was rejected: work that catches
 * a failure of what it called would commit half of that, another isolation or deadline asked for
 * would be ignored without a word, and {@code transactWithCommit} would have no number to give. The
 * transaction is in the caller's hand; handing it on says the same and hides nothing.
 *
 * <p>A thread-local variable, since the client is for Java 17, which has no scoped values. It is
 * removed with the work, so that threads of pools and virtual ones keep nothing.
 */
final class RunningWork {
  private final ThreadLocal<Boolean> running = new ThreadLocal<>();

  /**
   * The calling thread begins.
   *
   * @throws WrongArgumentException if it has begun already
   */
  void begin() {
    if (running.get() != null) {
      throw new WrongArgumentException(
          "transact within transact of the same store: hand the Transaction on to what belongs to"
              + " it, or take begin() for one of its own",
          null);
    }
    running.set(true);
  }

  /** The calling thread is done. */
  void end() {
    running.remove();
  }
}
