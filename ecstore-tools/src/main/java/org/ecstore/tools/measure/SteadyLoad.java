package org.ecstore.tools.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Clients that commit as fast as they can, as those of {@link CommitLoad}, and go on after what
 * fails: nodes are killed and frozen meanwhile. Safe for use by several threads.
 */
final class SteadyLoad implements AutoCloseable {
  private static final Bytes VALUE = Bytes.wrap(new byte[100]);
  private static final long PAUSE_MILLIS = 20;
  private static final long END_MILLIS = 30_000;

  private final EcStore store;
  private final LongAdder commits = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closing;

  private SteadyLoad(EcStore store) {
    this.store = store;
  }

  /** Starts so many clients. */
  static SteadyLoad start(EcStore store, int clients) {
    SteadyLoad load = new SteadyLoad(store);
    for (int client = 0; client < clients; client++) {
      load.threads.add(Thread.ofVirtual().name("load-" + client).start(load::run));
    }
    return load;
  }

  private void run() {
    try {
      while (!closing) {
        commit();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void commit() throws InterruptedException {
    long key = ThreadLocalRandom.current().nextLong(CommitLoad.KEYS);
    try (ManualTransaction tx = store.begin()) {
      tx.put(CommitLoad.TABLE, Tuple.of(key), VALUE);
      tx.commit();
      commits.increment();
    } catch (EcStoreException _) {
      failures.increment();
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Transactions that were acknowledged. */
  long commits() {
    return commits.sum();
  }

  /** Those that ended otherwise: conflicts, and what a node that is gone has not answered. */
  long failures() {
    return failures.sum();
  }

  /** No client begins another one; those under way are waited for. */
  void rest() {
    closing = true;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    rest();
    threads.forEach(Thread::interrupt);
  }
}
