package org.ecstore.client.commit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.UnavailableException;

/**
 * How many commits of a client are under way at once. Of thousands that come together the others
 * wait here, before they are sent: a commit that waits at a node may time out there, and then it is
 * not known what became of it. Safe for use by several threads.
 */
public final class CommitsUnderWay {
  /** More than keep a cluster busy, and few enough that each is soon done. */
  public static final int MAX = 1_000;

  private final int max;
  private final Semaphore free;

  /** So many at once, one at least. */
  public CommitsUnderWay(int max) {
    this.max = max;
    this.free = new Semaphore(max, true);
  }

  /**
   * Waits until there are fewer; {@link #end} comes after it.
   *
   * @param nanos for how long at most
   * @throws OverloadedException if there are as many all that time; nothing was sent
   */
  void begin(long nanos) {
    try {
      if (!free.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        throw new OverloadedException(
            "the commit was not sent: too many of this client are under way; do less at a time, or"
                + " try later",
            null,
            "underWay",
            max);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("the wait was cut short", null, "by", "interrupted");
    }
  }

  void end() {
    free.release();
  }
}
