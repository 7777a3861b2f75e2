package org.ecstore.core.runtime;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Event;

/**
 * Steps of which each is done, whatever becomes of the others: for the way down after a bug, where
 * a step may meet what the bug has left behind.
 */
public final class EachInTurn {
  private EachInTurn() {}

  /**
   * Loads what the way down needs: this class, and what tells nodes of it. Called by a part as it
   * begins. Where files of classes are replaced under a running process they may be missing later.
   */
  public static void prepare() {
    Optional<Throwable> _ = run(List.of());
    Event _ = new Event.PartFailed("", "");
  }

  /**
   * Does each step.
   *
   * @return the first that was thrown, with the others as suppressed ones; absent if none was
   */
  public static Optional<Throwable> run(List<Runnable> steps) {
    Optional<Throwable> first = Optional.empty();
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        if (first.isEmpty()) {
          first = Optional.of(e);
        } else if (!first.get().equals(e)) {
          first.get().addSuppressed(e);
        }
      }
    }
    return first;
  }
}
