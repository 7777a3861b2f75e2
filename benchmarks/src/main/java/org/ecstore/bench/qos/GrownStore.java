package org.ecstore.bench.qos;

import java.io.IOException;

/** A store that a table is measured of: it can only grow. Closing it ends it. */
public interface GrownStore extends AutoCloseable {
  /** Starts one. */
  interface Starter {
    /**
     * Starts a store, with its first nodes and all records.
     *
     * @throws IOException if it does not start, or a kind of engine is not available; says why
     */
    GrownStore start(MeasuredSubject subject) throws IOException, InterruptedException;
  }

  /** Grows to so many nodes, which serve when this returns; nothing if there are as many. */
  void grow(int nodes) throws IOException, InterruptedException;

  /**
   * Runs a load until the store is steady, or for as long as that may take.
   *
   * @param clients of the load
   */
  void settle(int clients) throws IOException, InterruptedException;

  /**
   * Measures once.
   *
   * @param clients that each wait for an answer before they ask again
   * @param number of the run
   * @throws IOException if an operation failed
   */
  TableRun run(int clients, int number) throws IOException, InterruptedException;

  @Override
  void close();
}
