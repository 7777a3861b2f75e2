package org.ecstore.client.session;

import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * Notices that two threads use at once what is for one at a time. Threads may take turns. Safe for
 * use by several threads, which is its purpose.
 */
final class OneUser {
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

  /**
   * The calling thread begins; {@link #end} comes after it, whatever happens.
   *
   * @throws WrongArgumentException if another thread has begun and not ended
   */
  void begin() {
    Thread other = user.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw new WrongArgumentException(
          "a transaction is used by two threads at once: give each one of its own, or let them take"
              + " turns",
          null,
          "thread",
          Thread.currentThread().getName(),
          "other",
          other.getName());
    }
  }

  void end() {
    user.set(null);
  }
}
