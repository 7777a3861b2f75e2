package org.ecstore.engines.window;

import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.port.Event;

/**
 * Where the work of a {@link WindowedEngine} is done: by threads, or in the virtual time of a
 * simulation. None of it is done within the call.
 */
public interface WindowTasks {
  /** Work that is done in steps, between which other work may go on. */
  @FunctionalInterface
  interface Steps {
    /** Does the next step; the result after the last one. */
    Optional<Event> step();
  }

  /** Hands over a result that is known already. Those of changes are handed over in order. */
  void deliver(Runnable result);

  /**
   * Reads the store, and hands over the result; several reads may be under way.
   *
   * @param isLong whether it takes so long that no other should wait for it
   * @param refusal the result in place of it if it has waited too long
   * @return false if there are too many, or no more are taken: then it is not done
   */
  boolean read(boolean isLong, Steps read, Supplier<Event> refusal);

  /**
   * Changes the store, one change at a time, in the order of the calls.
   *
   * @param refuse runs in place of it if there are too many, or no more are taken
   */
  void change(Runnable change, Runnable refuse);

  /** Does a step of a fold, one at a time with all changes; whatever waits goes first. */
  void fold(Runnable step);

  /** How many rows a page of a scan has at most. */
  int pageRows();

  /**
   * So many writes of a batch the caller brings into the window; of a larger one all are a change
   * in order with those of the store, so that the caller goes on meanwhile.
   */
  int writesAtOnce();

  /** How many keys a step of a fold looks at. */
  int foldKeys();

  /** Takes nothing more, and returns when all changes are done that were taken. */
  void close();
}
