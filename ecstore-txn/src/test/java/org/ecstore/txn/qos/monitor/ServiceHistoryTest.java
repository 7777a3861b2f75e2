package org.ecstore.txn.qos.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.junit.jupiter.api.Test;

class ServiceHistoryTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private long nanos = -5;
  private final ServiceHistory history = new ServiceHistory(() -> nanos, ServiceHistory.SLOT_NANOS);

  private static Objective objective(String application, String... tables) {
    return new Objective(
        application,
        List.of(tables),
        ServiceClass.BEST_EFFORT,
        1,
        List.of(),
        ObjectiveWorkload.UNSTATED);
  }

  private static ApplicationSample sample(
      String application, String table, int operations, long millis) {
    long[] counts = new long[LatencySketch.INTERVALS];
    counts[LatencySketch.interval(millis * MILLI)] = operations;
    return new ApplicationSample(
        application,
        new ServiceSample(table, operations / 2, 1, millis * MILLI, LatencySketch.of(counts)));
  }

  @Test
  void tablesCountWhateverClientsSayAndNamesWhateverTheTables() {
    history.take(
        List.of(
            sample("web", "users", 10, 2),
            sample("app", "users", 30, 2),
            sample("web", "orders", 5, 2)));
    nanos += 10 * SECOND;
    assertEquals(40, history.recent(objective("shop", "users")).orElseThrow().operations());
    assertEquals(15, history.recent(objective("web")).orElseThrow().operations());
    assertEquals(Optional.empty(), history.recent(objective("shop")));
  }

  @Test
  void figuresAreOfAllSamplesTogether() {
    history.take(List.of(sample("web", "users", 90, 2), sample("app", "users", 10, 50)));
    nanos += 20 * SECOND;
    ServiceFigures figures = history.recent(objective("x", "users")).orElseThrow();
    assertEquals(100, figures.operations());
    assertEquals(5.0, figures.perSecond());
    assertEquals(50, figures.reads());
    assertEquals(2, figures.failures());
    assertEquals(6_800, figures.meanMicros());
    assertEquals(50_000.0, (double) figures.p99Micros(), 5_000.0);
    assertTrue(figures.p95Micros() > 40_000, figures::toString);
  }

  @Test
  void whatIsOldIsForgotten() {
    for (int i = 0; i < 2 * ServiceHistory.SLOTS; i++) {
      history.take(List.of(sample("web", "users", 1, 2)));
      nanos += ServiceHistory.SLOT_NANOS;
    }
    Objective users = objective("x", "users");
    List<ServiceFigures> slots = history.slots(users);
    assertEquals(ServiceHistory.SLOTS, slots.size());
    assertEquals(0, slots.getLast().agoMillis());
    assertEquals(ServiceHistory.RECENT_SLOTS, history.recent(users).orElseThrow().operations());
    nanos += 1_000 * SECOND;
    assertEquals(Optional.empty(), history.recent(users));
  }

  @Test
  void aClockThatJumpsBackBeginsAnew() {
    history.take(List.of(sample("web", "users", 1, 2)));
    nanos -= 100 * SECOND;
    history.take(List.of(sample("web", "users", 1, 2)));
    assertEquals(2, history.slots(objective("x", "users")).size());
  }

  @Test
  void hostileReportsDoNotGrowIt() {
    for (int i = 0; i < 10_000; i++) {
      history.take(List.of(sample("web" + i, "users", 1, 2)));
    }
    assertEquals(
        ServiceReports.KEYS_MAX,
        history.recent(objective("x", "users")).orElseThrow().operations());
  }
}
