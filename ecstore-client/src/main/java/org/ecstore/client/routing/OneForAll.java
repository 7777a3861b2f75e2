package org.ecstore.client.routing;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What one thread asks nodes for, and all that come meanwhile take. They wait for it no longer than
 * they have time for; and where nodes do not answer they take that for an answer, for each would
 * otherwise try for all its time, one after the other. Safe for use by several threads.
 */
public final class OneForAll {
  private final String what;
  private final ReentrantLock lock = new ReentrantLock();

  /** The last time that nodes did not answer. Guarded by the lock. */
  private @Nullable EcStoreException failure;

  private long failedAtNanos;

  /**
   * Nothing is under way yet.
   *
   * @param what is asked for, in the words of an application
   */
  public OneForAll(String what) {
    this.what = what;
  }

  /**
   * What is there, or is asked for now.
   *
   * @param most how long another thread is waited for: as long as asking may take
   * @param there what is there; absent if it has to be asked for. By one thread at a time, as what
   *     follows
   * @param ask asks for it
   * @throws UnavailableException if another thread takes longer, or nodes did not answer it
   */
  public <T> T get(Duration most, Supplier<Optional<T>> there, Supplier<T> ask) {
    long begunNanos = System.nanoTime();
    if (!isFree(most)) {
      throw new UnavailableException(what + " could not be asked for in time", null);
    }
    try {
      Optional<T> known = there.get();
      if (known.isPresent()) {
        return known.get();
      }
      EcStoreException before = failure;
      if (before != null && failedAtNanos - begunNanos > 0) {
        throw likewise(what + " could not be asked for", before);
      }
      try {
        return ask.get();
      } catch (EcStoreException e) {
        noteFailure(e);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is told of the failure of another thread: work is run again where nodes did not answer,
   * and not where they have too much to do, so that both stay what they are.
   */
  public static UnavailableException likewise(String text, EcStoreException before) {
    String last = String.valueOf(before.getMessage());
    return before.code() == ErrorCode.OVERLOADED
        ? new OverloadedException(text, before, "last", last)
        : new UnavailableException(text, before, "last", last);
  }

  /** Of one that was interrupted, or has met something else, others learn nothing. */
  private void noteFailure(EcStoreException e) {
    boolean isOfNodes = e.code() == ErrorCode.UNAVAILABLE || e.code() == ErrorCode.OVERLOADED;
    if (isOfNodes && !Thread.currentThread().isInterrupted()) {
      failure = e;
      failedAtNanos = System.nanoTime();
    }
  }

  private boolean isFree(Duration most) {
    try {
      return lock.tryLock() || lock.tryLock(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
