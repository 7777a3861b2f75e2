package org.ecstore.core.port;

/** Monotonic time of this node. */
public interface Clock {
  /** Nanoseconds since some moment of its own. */
  long nanos();
}
