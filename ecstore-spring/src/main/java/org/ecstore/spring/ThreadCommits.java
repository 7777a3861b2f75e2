package org.ecstore.spring;

import org.ecstore.client.observe.StoreObserver;

/**
 * How many transactions each thread has committed, or may have, by whatever way: told by the store,
 * whose observer this has to be. {@link SessionCookieFilter} and {@link RetryOnConflictAdvisor}
 * ask. Safe for use by several threads.
 */
public final class ThreadCommits implements StoreObserver {
  /** One number for each thread, in a class of Java's: threads may outlive the application. */
  @SuppressWarnings("ThreadLocalUsage") // Of one application.
  private final ThreadLocal<long[]> counts = ThreadLocal.withInitial(() -> new long[1]);

  private volatile boolean isTold;

  /** None by now. */
  public ThreadCommits() {}

  /** Asked by the options that this is given to: from then on it is told. */
  @Override
  public boolean wantsOperations() {
    isTold = true;
    return false;
  }

  @Override
  public void committed() {
    counts.get()[0]++;
  }

  /** What must not be done twice may have been done. */
  @Override
  public void leftUnknown() {
    counts.get()[0]++;
  }

  /** Whether it is an observer of a store. */
  boolean isTold() {
    return isTold;
  }

  /** How many the calling thread has committed, or may have. */
  long count() {
    return counts.get()[0];
  }
}
