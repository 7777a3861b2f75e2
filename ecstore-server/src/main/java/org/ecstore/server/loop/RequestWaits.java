package org.ecstore.server.loop;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long clients' requests have waited in an event loop's inbox until they were taken, whatever
 * held them: other requests, what nodes say, a {@link RequestGate}. Written by the event loop, read
 * by any thread.
 */
public final class RequestWaits {
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();

  /**
   * All until some moment.
   *
   * @param taken how many requests
   * @param nanos for how long all of them together had waited
   */
  public record Seen(long taken, long nanos) {
    /** Before the first. */
    public static final Seen NONE = new Seen(0, 0);

    /** How long a request has waited on average since an earlier moment; 0 if none was taken. */
    public long meanNanosSince(Seen before) {
      return taken == before.taken ? 0 : (nanos - before.nanos) / (taken - before.taken);
    }
  }

  /** A request is taken. On the event loop only. */
  void took(long waitedNanos) {
    nanos.lazySet(nanos.getPlain() + waitedNanos);
    taken.lazySet(taken.getPlain() + 1);
  }

  /** All until now; of one that is just being taken perhaps the time alone. */
  public Seen seen() {
    return new Seen(taken.get(), nanos.get());
  }
}
