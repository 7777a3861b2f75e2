package org.ecstore.bench.load;

/** What the clients of a measurement do. */
public interface Load {
  /** One client: does its operations one after the other, in one thread. */
  interface Client extends AutoCloseable {
    /** Does one operation. Whatever it throws ends the measurement. */
    LoadOutcome next() throws Exception;

    /** How long it waits before the next one, in nanoseconds: no part of the operation. */
    default long restNanos() {
      return 0;
    }

    /**
     * Hears what came of the operation that it did last.
     *
     * @param begin when it began, in an open loop when it was to begin, in nanoseconds
     * @param end when it ended
     */
    default void ended(LoadOutcome outcome, long begin, long end) {}

    /**
     * Hears that an operation of an open loop is not begun any more.
     *
     * @param begin when it was to begin, in nanoseconds
     */
    default void leftOut(long begin) {}

    @Override
    default void close() {}
  }

  /**
   * A client.
   *
   * @param number from 0 on
   * @param clients how many there are in all
   */
  Client client(int number, int clients) throws Exception;

  /**
   * Hears from when on what clients do counts; called once a run, before they begin.
   *
   * @param fromNanos in nanoseconds, as clients are told when operations begin
   */
  default void counts(long fromNanos) {}
}
