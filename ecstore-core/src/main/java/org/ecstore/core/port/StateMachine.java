package org.ecstore.core.port;

/**
 * A node's logic as its driver sees it: an event loop in production, the simulator in tests. Calls
 * come from one thread, one at a time. Anything thrown ends the node, and is a bug, but for a
 * {@link NodeEndsException}.
 */
public interface StateMachine {
  /** Called once, before the first event. */
  void start();

  /** Handles one event. */
  void on(Event event);

  /**
   * Called after a batch of one or more events: hands out what was gathered (one group commit, one
   * engine batch).
   */
  void flush();
}
