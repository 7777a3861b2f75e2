package org.ecstore.client.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Table;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store's metrics, as a registry has them. */
class MicrometerObserverTest {
  private static final Table<Long> COUNTS = Table.of("counts", Codec.longs());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerObserver observer = MicrometerObserver.of(registry);
  private final FakeTime time = new FakeTime(1);
  private final EcStore store =
      EcStore.over(new FakeCluster(time, "n1:1"), EcStoreOptions.DEFAULT.observer(observer), time);

  @AfterEach
  void close() {
    store.close();
  }

  private long operations(String operation, String table, String outcome) {
    return registry
        .get("ecstore.client.operations")
        .tags("operation", operation, "table", table, "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void operationsAreTimedByTableAndOutcome() {
    store.execute(tx -> tx.put(COUNTS, Tuple.of("a"), 1L));
    store.read(snapshot -> snapshot.get(COUNTS, Tuple.of("a")));
    store.read(snapshot -> snapshot.scan(COUNTS).toList());
    assertEquals(1, operations("transact", "none", "done"));
    assertEquals(1, operations("commit", "counts", "done"));
    assertEquals(2, operations("read", "none", "done"));
    assertEquals(1, operations("get", "counts", "done"));
    assertEquals(1, operations("scan", "counts", "done"));
    assertTrue(registry.get("ecstore.client.reads").tag("copy", "primary").counter().count() >= 2);
    assertThrows(
        ArithmeticException.class,
        () ->
            store.execute(
                tx -> {
                  throw new ArithmeticException("the application's own");
                }));
    assertEquals(1, operations("transact", "none", "failed"));
  }

  @Test
  void conflictsAreCountedByTableAndRange() {
    try (ManualTransaction tx = store.begin()) {
      tx.get(COUNTS, Tuple.of("a"));
      store.execute(other -> other.put(COUNTS, Tuple.of("a"), 1L));
      tx.put(COUNTS, Tuple.of("a"), 2L);
      assertThrows(ConflictException.class, tx::commit);
    }
    Counter conflicts = registry.get("ecstore.client.conflicts").tag("table", "counts").counter();
    assertEquals(1, conflicts.count());
    assertTrue(conflicts.getId().getTag("range") != null, "no range is named");
    assertEquals(1, operations("commit", "counts", "conflict"));
  }

  @Test
  void namesAreNotWithoutEnd() {
    BoundedNames names = new BoundedNames(2);
    assertEquals("a", names.name("a"));
    assertEquals("b", names.name("b"));
    assertEquals("others", names.name("c"));
    assertEquals("a", names.name("a"));
  }

  @Test
  void everyKindHasANameOfItsOwn() {
    assertEquals(
        OperationKind.values().length,
        Arrays.stream(OperationKind.values()).map(OperationKind::text).distinct().count());
  }
}
