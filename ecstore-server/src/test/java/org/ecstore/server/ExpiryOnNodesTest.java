package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records with lifetimes on a real node: written, prolonged and swept by several at once. */
@Timeout(120)
class ExpiryOnNodesTest {
  private static final Table<Long> SESSIONS =
      Table.of("sessions", Codec.longs()).expiringAfter(Duration.ofHours(1));

  private static final int WRITERS = 2;
  private static final int WRITES = 600;
  private static final int KEYS = 60;
  private static final int SHORT_MILLIS = 40;

  @TempDir private Path directory;

  @Test
  void whatIsWrittenLastStaysOrGoesAsItWasWritten() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Map<Long, Long> expected = new TreeMap<>();
    try (EcStore store =
            EcStore.open(
                directory.resolve("store"), EcStoreOptions.DEFAULT.sweepEvery(Duration.ZERO));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> sweeps = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        sweeps.add(threads.submit(() -> sweepUntil(store, over)));
      }
      List<Future<Map<Long, Long>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(threads.submit((Callable<Map<Long, Long>>) () -> write(store, writer)));
      }
      for (Future<Map<Long, Long>> writer : writers) {
        expected.putAll(writer.get());
      }
      over.set(true);
      for (Future<Long> sweep : sweeps) {
        var _ = sweep.get();
      }
      Await.until("all that is over is swept", () -> there(store, store.sweep()).equals(expected));
    }
  }

  private static long sweepUntil(EcStore store, AtomicBoolean over) {
    long swept = 0;
    while (!over.get()) {
      try {
        swept += store.sweep();
      } catch (EcStoreException leftToTheNext) {
        // Two that sweep the same are in each other's way.
      }
    }
    return swept;
  }

  /** Writes keys of its own, each for a moment or for long; what is there for long is found. */
  private static Map<Long, Long> write(EcStore store, int writer) {
    Random random = new Random(writer);
    Map<Long, Long> kept = new TreeMap<>();
    for (long i = 0; i < WRITES; i++) {
      long value = i;
      long key = (long) random.nextInt(KEYS) * WRITERS + writer;
      assertEquals(
          Optional.ofNullable(kept.get(key)).isPresent(),
          kept.containsKey(key)
              && store
                  .read(at -> at.get(SESSIONS, Tuple.of(key)))
                  .equals(Optional.of(kept.get(key))));
      if (random.nextBoolean()) {
        Duration moment = Duration.ofMillis(1 + random.nextInt(SHORT_MILLIS));
        store.execute(tx -> tx.put(SESSIONS, Tuple.of(key), value, moment));
        kept.remove(key);
      } else {
        store.execute(tx -> tx.put(SESSIONS, Tuple.of(key), value));
        kept.put(key, value);
      }
    }
    return kept;
  }

  private static Map<Long, Long> there(EcStore store, long swept) {
    Map<Long, Long> there = new TreeMap<>();
    store.read(
        at -> {
          at.scan(SESSIONS).forEach(entry -> there.put(entry.key().number(0), entry.value()));
          return swept;
        });
    return there;
  }
}
