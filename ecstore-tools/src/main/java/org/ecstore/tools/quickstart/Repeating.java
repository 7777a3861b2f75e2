package org.ecstore.tools.quickstart;

import java.time.Duration;
import java.util.function.Supplier;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;

/**
 * Tries again what the client library has given up, as an application that must get its work done
 * does: nodes may be away for longer than one deadline.
 */
final class Repeating {
  private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(3);

  private Repeating() {}

  /** Runs the work until it succeeds or minutes have passed. It must bear to be run again. */
  static <T> T untilDone(Supplier<T> work) {
    long start = System.nanoTime();
    while (true) {
      try {
        return work.get();
      } catch (UnavailableException | SnapshotTooOldException e) {
        if (System.nanoTime() - start > GIVE_UP_AFTER.toNanos()) {
          throw e;
        }
      }
    }
  }
}
