package org.ecstore.client.retry;

import java.util.OptionalLong;
import org.ecstore.client.error.EcStoreException;

/**
 * Decides whether work that failed is run again from its beginning, with a new snapshot and a new
 * id. Only work that is known to have done nothing is. One instance serves one piece of work. Not
 * safe for use by several threads.
 */
public final class RerunRules {
  private final Backoff backoff;
  private final Deadline deadline;
  private int failures;

  public RerunRules(Backoff backoff, Deadline deadline) {
    this.backoff = backoff;
    this.deadline = deadline;
  }

  /** Nanoseconds to wait before the work is run again; empty to give up with the failure. */
  public OptionalLong afterFailure(EcStoreException failure, long nowNanos, double random) {
    failures++;
    if (!mayRunAgain(failure)) {
      return OptionalLong.empty();
    }
    long delay = backoff.delayNanos(failures, random);
    return deadline.left(nowNanos) <= delay ? OptionalLong.empty() : OptionalLong.of(delay);
  }

  /** How often the work has failed so far. */
  public int failures() {
    return failures;
  }

  private static boolean mayRunAgain(EcStoreException failure) {
    return switch (failure.code()) {
      case CONFLICT, SNAPSHOT_TOO_OLD, UNAVAILABLE -> true;
      case OVERLOADED, // it was tried a few times already
          UNKNOWN_OUTCOME,
          CHANGES_LOST,
          TOO_LARGE,
          OVER_QUOTA,
          ALREADY_EXISTS,
          WRONG_ARGUMENT,
          CLOSED,
          PROTOCOL ->
          false;
    };
  }
}
