package org.ecstore.sim.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;

/** What the clients of a run saw, one record for each attempt of a transaction, in order of end. */
public final class SimHistory {
  /** How an attempt ended for its client. */
  public enum Outcome {
    /** The node said so, or said so when asked. */
    COMMITTED,
    /** The node said so, or said so when asked. */
    ABORTED,
    /** A commit was sent and no node could say what became of it. */
    UNKNOWN,
    /**
     * No commit was sent: read-only, or given up before. What it read must be right all the same.
     */
    READ_ONLY
  }

  /** A key read at the snapshot. */
  public record KeyRead(Bytes key, Optional<Row> row) {}

  /** The part of an interval read at the snapshot, and all its rows, in ascending order. */
  public record IntervalRead(KeyRange covered, List<Row> rows) {
    public IntervalRead {
      rows = List.copyOf(rows);
    }
  }

  /**
   * An attempt. Times are virtual; {@code number} is the commit number, 0 if there is none; the
   * point is that of its snapshot, the catalog what its commit says of it.
   *
   * @param floor below which outcomes are forgotten, as it was told of its own; 0 if it was not
   */
  public record Attempt(
      TxnId txn,
      int client,
      Isolation isolation,
      ReadLevel level,
      long invokedNanos,
      long completedNanos,
      ReadPoint point,
      List<KeyRead> keyReads,
      List<IntervalRead> intervalReads,
      List<KeyWrite> writes,
      CatalogStamp catalog,
      Outcome outcome,
      long number,
      long floor) {
    public Attempt {
      keyReads = List.copyOf(keyReads);
      intervalReads = List.copyOf(intervalReads);
      writes = List.copyOf(writes);
    }

    @Override
    public String toString() {
      return txn
          + " of client "
          + client
          + " ("
          + isolation
          + ", "
          + level
          + ", "
          + outcome
          + (number > 0 ? " as " + number : "")
          + ", snapshot "
          + point.position()
          + ", "
          + invokedNanos / 1_000_000
          + " to "
          + completedNanos / 1_000_000
          + " ms)";
    }
  }

  private final List<Attempt> attempts = new ArrayList<>();
  private int committed;

  public void add(Attempt attempt) {
    attempts.add(attempt);
    if (attempt.outcome() == Outcome.COMMITTED) {
      committed++;
    }
  }

  public List<Attempt> attempts() {
    return Collections.unmodifiableList(attempts);
  }

  /** Attempts that committed. */
  public int committed() {
    return committed;
  }
}
