package org.ecstore.bookstore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads that ask for the same at once. */
final class Waiters {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  private Waiters() {}

  static Waiters begin(int count, Runnable ask) {
    Waiters waiters = new Waiters();
    for (int number = 0; number < count; number++) {
      waiters.threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      ask.run();
                    } catch (RuntimeException e) {
                      waiters.failures.add(String.valueOf(e.getMessage()));
                    }
                  }));
    }
    return waiters;
  }

  /** Returns when each waits for what a thread does; not for a lock, as while a class is loaded. */
  void awaitAllWaiting() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not all threads wait: " + threads);
      }
      Thread.onSpinWait();
    }
  }

  /** What those were told that failed, once all have ended. */
  List<String> failures() throws InterruptedException {
    for (Thread thread : threads) {
      if (!thread.join(PATIENCE)) {
        throw new AssertionError("it does not end: " + thread);
      }
    }
    return List.copyOf(failures);
  }
}
