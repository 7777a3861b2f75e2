package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Table;
import org.ecstore.client.error.ConflictException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Clients that commit as fast as they can, one transaction after the other: each writes one value
 * of 100 bytes under a key out of a million, and the time of its call to commit is taken.
 */
final class CommitLoad {
  /** The table that is written to. */
  static final Table<Bytes> TABLE = Table.of("measured", Codec.bytes());

  static final long KEYS = 1_000_000;
  private static final Bytes VALUE = Bytes.wrap(new byte[100]);
  private static final long MICROS_MAX = Duration.ofMinutes(10).toNanos() / 1000;

  /** What came of it; latencies of the calls to commit in microseconds. */
  record Result(long commits, double seconds, long p50Micros, long p99Micros, long conflicts) {
    double perSecond() {
      return commits / seconds;
    }
  }

  private final EcStore store;
  private final int clients;
  private final long first;
  private final long end;
  private final Recorder micros = new Recorder(MICROS_MAX, 3);
  private final AtomicInteger conflicts = new AtomicInteger();

  CommitLoad(EcStore store, int clients) {
    this(store, clients, 0, KEYS);
  }

  /** With keys from {@code first} until before {@code end} only. */
  CommitLoad(EcStore store, int clients, long first, long end) {
    this.store = store;
    this.clients = clients;
    this.first = first;
    this.end = end;
  }

  /** Commits for so long. */
  Result run(Duration time) throws InterruptedException {
    long start = System.nanoTime();
    long endNanos = start + time.toNanos();
    together(() -> commitUntil(endNanos));
    double seconds = (System.nanoTime() - start) / 1e9;
    Histogram seen = micros.getIntervalHistogram();
    return new Result(
        seen.getTotalCount(),
        seconds,
        seen.getValueAtPercentile(50),
        seen.getValueAtPercentile(99),
        conflicts.get());
  }

  /** Commits so many transactions. */
  void commitTransactions(long count) throws InterruptedException {
    AtomicInteger left = new AtomicInteger(Math.toIntExact(count));
    together(
        () -> {
          while (left.getAndDecrement() > 0) {
            commitOne();
          }
        });
  }

  private void commitUntil(long endNanos) {
    while (System.nanoTime() - endNanos < 0) {
      commitOne();
    }
  }

  private void commitOne() {
    long key = ThreadLocalRandom.current().nextLong(first, end);
    try (ManualTransaction tx = store.begin()) {
      tx.put(TABLE, Tuple.of(key), VALUE);
      long start = System.nanoTime();
      tx.commit();
      micros.recordValue(Math.min(MICROS_MAX, (System.nanoTime() - start) / 1000));
    } catch (ConflictException _) {
      conflicts.incrementAndGet();
    }
  }

  private void together(Runnable client) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        running.add(threads.submit(client));
      }
      for (Future<?> each : running) {
        try {
          each.get();
        } catch (ExecutionException e) {
          throw new IllegalStateException("a client failed: " + e.getCause(), e.getCause());
        }
      }
    }
  }
}
