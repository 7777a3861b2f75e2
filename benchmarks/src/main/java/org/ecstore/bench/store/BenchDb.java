package org.ecstore.bench.store;

import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A store as the benchmarks see it, from one client: what YCSB asks of one, and work on two records
 * at a time. For one thread.
 */
public abstract class BenchDb extends DB {
  /** How a transaction reads two records. */
  public enum Reads {
    /** One when the other is there: as where the second depends on the first. */
    APART,
    /** Both at once, as the store does that best. */
    TOGETHER
  }

  /** What came of a transaction, and how many tries before it came to nothing. */
  public record Attempted(Status status, int aborts) {}

  @Override
  public abstract void cleanup();

  /**
   * How many tries of single operations came to nothing and were followed by another, since it was
   * last asked; 0 of a store that does not say.
   */
  public int takeAborts() {
    return 0;
  }

  /** Reads two records, at one moment where the store can. */
  public abstract Status readBoth(String table, String one, String other);

  /**
   * Adds 1 to a number, which may not be there yet, without reading it.
   *
   * @throws UnsupportedOperationException if it is not known how this store does that best
   */
  public Status count(String table, String key) {
    throw new UnsupportedOperationException(
        "count is measured of ecstore, mariadb and redis: leave the others out");
  }

  /**
   * Reads two records and changes one field of both, in one transaction where the store has such;
   * again after a conflict, until it is done.
   */
  public abstract Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads);
}
