package org.ecstore.server.loop;

/**
 * What the thread of an event loop does beside calling its state machine: work that leads into its
 * inbox, or comes out of it, and need not pass from thread to thread then. The event loop looks in
 * between two batches, and waits here while it has nothing to do.
 */
public interface SideWork {
  /** Nothing: the event loop's thread sleeps while it has nothing to do. */
  static SideWork none() {
    return new Parking();
  }

  /**
   * First of all calls but {@link #wake}, on the event loop's thread, or on that of who closes an
   * event loop that never began.
   */
  void begin();

  /** Does what can be done at once. The event loop's thread. */
  void runReady();

  /**
   * Does what it was handed, as what a batch leaves to send, and looks for nothing else: that comes
   * with the wait, or {@link #runReady}. The event loop's thread.
   */
  void runHanded();

  /**
   * Waits until there is something to do here, or a thread wakes the event loop, or time is over;
   * does what there is. The event loop's thread. May return early.
   *
   * @param nanos at least 1
   */
  void await(long nanos);

  /** Ends a wait, or else the next one. Any thread, and rarely without need. */
  void wake();

  /** Last of all calls, on the thread of the first. */
  void end();
}
