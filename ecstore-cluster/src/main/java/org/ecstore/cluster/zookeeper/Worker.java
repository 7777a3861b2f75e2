package org.ecstore.cluster.zookeeper;

import java.time.Duration;

/**
 * Does what it is given, in order and one at a time, and what is due. Safe for use by several
 * threads.
 */
interface Worker extends AutoCloseable {
  /** Does something soon; whether it will, which it will not if this has ended. */
  boolean execute(Runnable task);

  /** Does something later, unless this has ended by then. What is returned takes it back. */
  Runnable after(Duration delay, Runnable task);

  /** Nanoseconds, from wherever. */
  long nanos();

  /** Takes nothing more, and waits until what it was given is done. */
  @Override
  void close();
}
