package org.ecstore.core.port;

/** Monotonic time of this node. */
public interface Clock {
  /** Nanoseconds since some moment of its own. */
  long nanos();

  /**
   * What the machine's calendar says, in milliseconds since 1970; 0 if it has none. It is for
   * people alone, and nothing is decided by it: it may jump, and that of another node differs.
   */
  default long epochMillis() {
    return 0;
  }
}
