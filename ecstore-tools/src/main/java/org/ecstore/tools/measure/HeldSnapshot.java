package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.key.Tuple;

/**
 * A snapshot that is kept open and read from once a second, so that its lease is held. Where it
 * ends, for a node has no room for what it reads, another one is begun. Safe for use by several
 * threads.
 */
final class HeldSnapshot implements AutoCloseable {
  private static final long READ_MILLIS = 1_000;

  private final EcStore store;
  private final Thread thread;
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicInteger tooOld = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean closing;

  private HeldSnapshot(EcStore store) {
    this.store = store;
    this.thread = Thread.ofPlatform().name("held-snapshot").daemon().unstarted(this::run);
  }

  /** Begins one. */
  static HeldSnapshot begin(EcStore store) {
    HeldSnapshot held = new HeldSnapshot(store);
    held.thread.start();
    return held;
  }

  private void run() {
    try {
      while (!closing) {
        hold();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void hold() throws InterruptedException {
    try (ManualSnapshot snapshot = store.snapshot()) {
      long begun = System.nanoTime();
      while (!closing) {
        snapshot.get(CommitLoad.TABLE, Tuple.of(CommitLoad.KEYS / 2));
        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        Thread.sleep(READ_MILLIS);
      }
    } catch (SnapshotTooOldException _) {
      tooOld.incrementAndGet();
    } catch (EcStoreException _) {
      failures.incrementAndGet();
      Thread.sleep(READ_MILLIS);
    }
  }

  /** For how long one of them has answered, at most. */
  Duration longest() {
    return Duration.ofNanos(longestNanos.get());
  }

  /** How many have ended for want of room. */
  int tooOld() {
    return tooOld.get();
  }

  /** How often one could not be begun, or read from. */
  int failures() {
    return failures.get();
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
