package org.ecstore.client.retry;

import java.time.Duration;

/** A moment on the monotonic clock, in nanoseconds, after which nothing is begun any more. */
public record Deadline(long atNanos) {
  /** The moment a while from now. */
  public static Deadline after(long nowNanos, Duration time) {
    return new Deadline(nowNanos + time.toNanos());
  }

  /** Nanoseconds left, negative once it has passed. */
  public long left(long nowNanos) {
    return atNanos - nowNanos;
  }

  /** Whether it has passed. */
  public boolean isOver(long nowNanos) {
    return left(nowNanos) <= 0;
  }

  /** The earlier of two. */
  public static Deadline earlier(Deadline a, Deadline b) {
    return a.left(b.atNanos) <= 0 ? a : b;
  }
}
