package org.ecstore.client;

import org.ecstore.client.error.WrongArgumentException;

/**
 * Which threads are running work in a transaction of a store, so that such work does not begin
 * another one by mistake: that one would not see what the first has written, be committed whatever
 * becomes of the first, and be run again with it. That holds as well of one that is begun here to
 * run on another thread, and of a write by quorum. Safe for use by several threads.
 *
 * <p>Joining the outer transaction instead, as some frameworks do, was rejected: work that catches
 * a failure of what it called would commit half of that, another isolation or deadline asked for
 * would be ignored without a word, and {@code transactWithCommit} would have no number to give. The
 * transaction is in the caller's hand; handing it on says the same and hides nothing.
 *
 * <p>A thread-local variable, since the client is for Java 17, which has no scoped values. It is
 * removed with the work, so that threads of pools and virtual ones keep nothing. Work that has
 * other threads do a part of it is not seen by this. A task of another flow that its thread runs
 * while it waits, as one of a fork-join pool may, counts as within it: nothing tells the two apart.
 */
final class RunningWork {
  private final ThreadLocal<Boolean> running = new ThreadLocal<>();

  /**
   * The calling thread begins.
   *
   * @throws WrongArgumentException if it has begun already
   */
  void begin() {
    mustNotRun("transact");
    running.set(true);
  }

  /**
   * The calling thread asks for a transaction beside the one whose work it runs, if it runs any.
   *
   * @param what it asks for
   * @throws WrongArgumentException if it does run some
   */
  void mustNotRun(String what) {
    if (running.get() != null) {
      throw new WrongArgumentException(
          what
              + " within transact of the same store: hand the Transaction on to what belongs to it,"
              + " or take begin() for one of its own",
          null);
    }
  }

  /** The calling thread is done. */
  void end() {
    running.remove();
  }
}
