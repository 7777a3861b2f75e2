package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.ecstore.bookstore.Bookstore.Tries;

/** Runs transactions, again after a conflict, and counts them. For any number of threads. */
final class SqlTransactions {
  private static final int TRIES_MAX = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PAUSE_DOUBLINGS_MAX = 7;
  private static final String ROLLED_BACK = "40001";
  private static final String CONNECTION_LOST = "08";

  /** A row has changed since it was read; a lock was waited for too long; a unique key is taken. */
  private static final Set<Integer> CONFLICTS = Set.of(1020, 1205, 1062);

  private final SqlPools pools;
  private final LongAdder committed = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder retries = new LongAdder();

  SqlTransactions(SqlPools pools) {
    this.pools = pools;
  }

  /** Reads. */
  interface Read<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Reads and writes. */
  interface Write<T> {
    /**
     * Does it.
     *
     * @param again whether it was run before, and may have been committed if a connection was lost
     */
    T run(Connection connection, boolean again) throws SQLException;
  }

  /** Runs one SELECT, which sees one moment and locks nothing. */
  <T> T read(Read<T> read) {
    try (Connection connection = pools.reading()) {
      T result = read.run(connection);
      committed.increment();
      return result;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Runs some SELECTs, which all see one moment and lock nothing. */
  <T> T snapshot(Read<T> read) {
    return read(
        connection -> {
          Sql.execute(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
          try {
            return read.run(connection);
          } finally {
            Sql.execute(connection, "COMMIT");
          }
        });
  }

  /** Runs what writes. */
  <T> T write(Write<T> write) {
    return write(write, false);
  }

  /** Runs what finds out by itself whether it was committed before. */
  <T> T writeOnce(Write<T> write) {
    return write(write, true);
  }

  private <T> T write(Write<T> write, boolean findsOut) {
    long begun = System.nanoTime();
    for (int tries = 1; ; tries++) {
      try {
        return run(write, tries > 1);
      } catch (SQLException e) {
        boolean conflict = isConflict(e);
        if (conflict) {
          conflicts.increment();
        }
        boolean mayRun = conflict || (findsOut && isConnectionLost(e));
        if (!mayRun || tries == TRIES_MAX || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw failed(e);
        }
      }
      retries.increment();
      pause(tries);
    }
  }

  private <T> T run(Write<T> write, boolean again) throws SQLException {
    try (Connection connection = pools.writing()) {
      boolean isCommitted = false;
      try {
        T result = write.run(connection, again);
        connection.commit();
        isCommitted = true;
        committed.increment();
        return result;
      } finally {
        if (!isCommitted) {
          rollBack(connection);
        }
      }
    }
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException _) {
      // The connection is lost: the server rolls back what it has not committed.
    }
  }

  private static boolean isConflict(SQLException e) {
    return ROLLED_BACK.equals(e.getSQLState()) || CONFLICTS.contains(e.getErrorCode());
  }

  private static boolean isConnectionLost(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith(CONNECTION_LOST);
  }

  private static MariaDbException failed(SQLException e) {
    return new MariaDbException(
        isConnectionLost(e)
            ? "the connection to MariaDB is lost, and with it what became of the transaction"
            : "MariaDB has not run the transaction: " + e.getMessage(),
        e);
  }

  /** Of random length, so that two that met do not meet again. */
  private static void pause(int tries) {
    int most = 1 << Math.min(tries, PAUSE_DOUBLINGS_MAX);
    try {
      Thread.sleep(Duration.ofMillis(ThreadLocalRandom.current().nextInt(most) + 1L));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MariaDbException("interrupted while a transaction waited to run again", e);
    }
  }

  /** What came of them so far. */
  Tries tries() {
    return new Tries(committed.sum(), conflicts.sum(), retries.sum());
  }
}
