package org.ecstore.client.fake;

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;

/** Threads that do the same, for tests of what those have who come while it is under way. */
public final class WaitingThreads {
  private final List<Thread> threads = new ArrayList<>();

  private WaitingThreads() {}

  /** Starts so many, and returns when each of them waits, but not for ever. */
  public static WaitingThreads start(int count, Runnable work) {
    WaitingThreads all = new WaitingThreads();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      all.threads.add(thread);
      thread.start();
    }
    await()
        .until(
            () ->
                all.threads.stream()
                    .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    return all;
  }

  /** Returns when they have ended. */
  public void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
