package org.ecstore.spring;

import org.ecstore.client.observe.StoreObserver;

/**
 * How many transactions each thread has committed, by whatever way: told by the store, whose
 * observer this has to be. {@link SessionCookieFilter} and {@link RetryOnConflictAdvisor} ask. Safe
 * for use by several threads.
 */
public final class ThreadCommits implements StoreObserver {
  /** Of one thread; only the thread itself counts. */
  private static final class Count {
    private long committed;
  }

  @SuppressWarnings("ThreadLocalUsage") // Of one application; one number for each of its threads.
  private final ThreadLocal<Count> counts = ThreadLocal.withInitial(Count::new);

  /** None by now. */
  public ThreadCommits() {}

  @Override
  public boolean wantsOperations() {
    return false;
  }

  @Override
  public void committed() {
    counts.get().committed++;
  }

  /** How many the calling thread has committed. */
  long count() {
    return counts.get().committed;
  }
}
