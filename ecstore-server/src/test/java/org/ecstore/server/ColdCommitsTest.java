package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of threads that commit at once in a store that has done nothing before. */
@Timeout(300)
class ColdCommitsTest {
  private static final int THREADS = 5_000;
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  @TempDir Path directory;

  private final AtomicInteger committed = new AtomicInteger();
  private final Map<ErrorCode, LongAdder> failures = new ConcurrentHashMap<>();

  @Test
  void eachIsCommittedOrToldThatItWasNotBegunAndNoneIsUnknown() throws Exception {
    try (EcStore store = EcStore.open(directory.resolve("store"))) {
      allAtOnce(store);
      assertEquals(0, failed(ErrorCode.UNKNOWN_OUTCOME), failures::toString);
      assertEquals(THREADS, committed.get() + failed(ErrorCode.OVERLOADED), failures::toString);
      assertTrue(committed.get() > 0, failures::toString);
      long there = store.<Long, RuntimeException>read(snapshot -> snapshot.count(WORDS));
      assertEquals(committed.get(), there);
    }
  }

  private long failed(ErrorCode code) {
    LongAdder count = failures.get(code);
    return count == null ? 0 : count.sum();
  }

  private void allAtOnce(EcStore store) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        long number = i;
        var _ =
            threads.submit(
                () -> {
                  start.await();
                  commit(store, number);
                  return number;
                });
      }
      start.countDown();
    }
  }

  private void commit(EcStore store, long number) {
    try {
      store.execute(tx -> tx.put(WORDS, Tuple.of(number), "word " + number));
      committed.incrementAndGet();
    } catch (EcStoreException e) {
      failures.computeIfAbsent(e.code(), _ -> new LongAdder()).increment();
    }
  }
}
