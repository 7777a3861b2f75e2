package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Session;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters on a real node, which is closed and opened again between. */
@Timeout(120)
class CountersOnNodesTest {
  private static final Table<Long> COUNTERS = Table.of("counters", Codec.longs());
  private static final Tuple HOT = Tuple.of("hot");
  private static final int WRITERS = 50;
  private static final int ADDS = 40;

  @TempDir private Path directory;

  /** Each tries once: a conflict would be an exception. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void fiftyThreadsAddToOneKeyWithoutAConflict(Isolation isolation) throws Exception {
    Path path = directory.resolve("store");
    for (int round = 1; round <= 2; round++) {
      try (EcStore store = EcStore.open(path);
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Session session = store.with(isolation);
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          writers.add(threads.submit(() -> addOnce(session)));
        }
        for (Future<?> writer : writers) {
          writer.get();
        }
        assertEquals(
            Optional.of((long) round * WRITERS * ADDS),
            store
                .with(ReadLevel.STRONG)
                .<Optional<Long>, RuntimeException>read(at -> at.get(COUNTERS, HOT)));
      }
    }
  }

  private static void addOnce(Session session) {
    for (int i = 0; i < ADDS; i++) {
      try (ManualTransaction tx = session.begin()) {
        tx.add(COUNTERS, HOT, 1);
        tx.commit();
      }
    }
  }
}
