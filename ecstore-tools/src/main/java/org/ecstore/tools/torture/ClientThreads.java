package org.ecstore.tools.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.verify.check.Anomaly;

/**
 * Threads of clients beside those that make the history: each does one thing over and over until it
 * is closed. What no client should get is kept. Safe for use by several threads.
 */
final class ClientThreads implements AutoCloseable {
  private static final long END_MILLIS = 60_000;

  private final String doing;
  private final long pauseMillis;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Anomaly> anomalies = new ConcurrentLinkedQueue<>();
  private volatile boolean closing;

  /**
   * None yet.
   *
   * @param doing what they do, for what is kept
   * @param pauseMillis from one time to the next
   */
  ClientThreads(String doing, long pauseMillis) {
    this.doing = doing;
    this.pauseMillis = pauseMillis;
  }

  void start(String name, Runnable again) {
    threads.add(Thread.ofPlatform().name(name).daemon().start(() -> run(again)));
  }

  private void run(Runnable again) {
    try {
      while (!closing) {
        try {
          again.run();
        } catch (EcStoreException e) {
          if (!TortureClient.expected(e.code())) {
            anomalies.add(new Anomaly("client-error", doing + ": " + e));
          }
        }
        Thread.sleep(pauseMillis);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      anomalies.add(new Anomaly("client-error", doing + ": " + e));
    }
  }

  /** What no client should have got. */
  List<Anomaly> anomalies() {
    return List.copyOf(anomalies);
  }

  @Override
  public void close() {
    closing = true;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        if (thread.isAlive()) {
          anomalies.add(
              new Anomaly("client-error", thread.getName() + " waits beyond its deadline"));
          thread.interrupt();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      threads.forEach(Thread::interrupt);
    }
  }
}
