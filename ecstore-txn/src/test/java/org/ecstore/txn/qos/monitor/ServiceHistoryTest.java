package org.ecstore.txn.qos.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.junit.jupiter.api.Test;

class ServiceHistoryTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** Of each client whose rate is looked for. */
  private static final int PER_SECOND = 100;

  private static final Objective USERS = objective("x", "orders", "users");
  private static final List<Objective> STANDING = List.of(USERS, objective("shop"));

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
    return sample(application, table, operations, 0, millis);
  }

  /** With so many more that had no answer. */
  private static ApplicationSample sample(
      String application, String table, int operations, int failures, long millis) {
    long[] counts = new long[LatencySketch.INTERVALS];
    counts[LatencySketch.interval(millis * MILLI)] = operations;
    counts[LatencySketch.INTERVALS - 1] = failures;
    return new ApplicationSample(
        application,
        new ServiceSample(
            table, operations / 2, failures, millis * MILLI, LatencySketch.of(counts)));
  }

  /** While no objective stands. */
  private void take(List<ApplicationSample> told) {
    history.take(told, List.of());
  }

  @Test
  void tablesCountWhateverClientsSayAndNamesWhateverTheTables() {
    take(
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
    take(List.of(sample("web", "users", 90, 2), sample("app", "users", 10, 50)));
    nanos += 20 * SECOND;
    ServiceFigures figures = history.recent(objective("x", "users")).orElseThrow();
    assertEquals(100, figures.operations());
    // The first report of all is taken to be of half a minute.
    assertEquals(30_000, figures.spanMillis());
    assertEquals(50, figures.reads());
    assertEquals(0, figures.failures());
    assertEquals(6_800, figures.meanMicros());
    assertEquals(50_000.0, (double) figures.p99Micros(), 5_000.0);
    assertTrue(figures.p95Micros() > 40_000, figures::toString);
  }

  /** What has no answer counts, and takes no time. */
  @Test
  void responseTimesAreOfWhatWasAnswered() {
    Objective users = objective("x", "users");
    take(List.of(sample("web", "users", 60, 40, 2), sample("app", "users", 100, 0, 4)));
    ServiceFigures figures = history.recent(users).orElseThrow();
    assertEquals(200, figures.operations());
    assertEquals(40, figures.failures());
    assertEquals(3_250, figures.meanMicros());
    assertEquals(4_000.0, (double) figures.p99Micros(), 400.0);
    history.clear();
    take(List.of(sample("web", "users", 0, 40, 2)));
    ServiceFigures none = history.recent(users).orElseThrow();
    assertEquals(40, none.operations());
    assertEquals(40, none.failures());
    assertEquals(0, none.p99Micros());
    assertEquals(0, none.meanMicros());
  }

  // --- rates, at reports each half minute, which are the default as checks are

  /**
   * Clients report with so many milliseconds between their reports, the first ones so many after
   * each other, for twenty minutes. Looks each 7 seconds after the first three minutes: the least
   * and the greatest rate.
   */
  private double[] rates(int clients, long everyMillis, long apartMillis) {
    Objective users = objective("x", "users");
    double least = Double.MAX_VALUE;
    double most = 0;
    long[] next = new long[clients];
    for (int i = 0; i < clients; i++) {
      next[i] = i * apartMillis;
    }
    int operations = Math.round(everyMillis * PER_SECOND / 1_000f);
    for (long millis = 0; millis < 1_200_000; millis += 100) {
      for (int i = 0; i < clients; i++) {
        if (next[i] <= millis) {
          take(List.of(sample("web", "users", operations, 2)));
          next[i] += everyMillis;
        }
      }
      if (millis > 180_000 && millis % 700 == 0) {
        double rate = history.latest(users).orElseThrow().perSecond();
        least = Math.min(least, rate);
        most = Math.max(most, rate);
      }
      nanos += 100 * MILLI;
    }
    return new double[] {least, most};
  }

  /**
   * One client process reports a little later than each 30 s, as a report goes with the next
   * request: two of its reports may be 30.1 s apart and be about twice as long.
   */
  @Test
  void aClientWhoseReportsDriftHasNoGreaterRateThanItHas() {
    for (long every : List.of(30_000L, 30_100L, 31_000L, 40_000L)) {
      history.clear();
      double[] rates = rates(1, every, 0);
      assertEquals(PER_SECOND, rates[1], 1, () -> "each " + every + " ms");
      // As a minute begins just after a report, and ends just before the next but one.
      assertTrue(rates[0] > 0.49 * PER_SECOND, () -> "each " + every + " ms " + rates[0]);
    }
  }

  @Test
  void clientsHaveTheirRateTogetherWheneverTheyReport() {
    for (long apart : List.of(0L, 300L, 3_000L, 7_000L)) {
      history.clear();
      double[] rates = rates(4, 30_000, apart);
      assertEquals(4 * PER_SECOND, rates[0], 1, () -> apart + " ms apart");
      assertEquals(4 * PER_SECOND, rates[1], 1, () -> apart + " ms apart");
      history.clear();
      double[] drifting = rates(4, 30_100, apart);
      assertTrue(drifting[1] < 4.1 * PER_SECOND, () -> apart + " ms apart " + drifting[1]);
    }
  }

  @Test
  void slotsHaveTheRateOfTheTimeThatTheirReportsAreAbout() {
    rates(1, 30_100, 0);
    for (ServiceFigures slot : history.slots(objective("x", "users"))) {
      assertEquals(PER_SECOND, slot.perSecond(), 1, slot::toString);
    }
  }

  /** A client that was idle for ten minutes was not slow: its next report is of half a minute. */
  @Test
  void silenceIsNotReckonedAsTimeOfAReport() {
    Objective users = objective("x", "users");
    take(List.of(sample("web", "users", 3_000, 2)));
    nanos += 600 * SECOND;
    take(List.of(sample("web", "users", 3_000, 2)));
    assertEquals(30_000, history.latest(users).orElseThrow().spanMillis());
    nanos += 30 * SECOND;
    take(List.of(sample("web", "users", 3_000, 2)));
    assertEquals(30_000, history.recent(users).orElseThrow().spanMillis());
    nanos += 30 * SECOND;
    ServiceFigures both = history.recent(users).orElseThrow();
    assertEquals(60_000, both.spanMillis());
    assertEquals(6_000, both.operations());
    // Nor is a client that has ended as fast as it was.
    nanos += 170 * SECOND;
    assertEquals(198_000, history.recent(users).orElseThrow().spanMillis());
  }

  /** 0.6 of a hundred are late, and as many have no answer; then 0.4 and 0.4. */
  @Test
  void whatIsLateAndWhatHasNoAnswerAreOneOfAHundredTogether() {
    Objective shop = Objective.guaranteed("shop").p99(Duration.ofMillis(20)).rate(1_000);
    take(List.of(sample("shop", "users", 9_880, 60, 2), sample("shop", "users", 60, 0, 50)));
    nanos += 20 * SECOND;
    assertEquals(ServiceVerdict.VIOLATED, ServiceVerdict.of(shop, history.recent(shop)));
    history.clear();
    take(List.of(sample("shop", "users", 9_920, 40, 2), sample("shop", "users", 40, 0, 50)));
    nanos += 20 * SECOND;
    assertEquals(ServiceVerdict.KEPT, ServiceVerdict.of(shop, history.recent(shop)));
  }

  @Test
  void whatIsOldIsForgotten() {
    for (int i = 0; i < 2 * ServiceHistory.SLOTS; i++) {
      nanos += ServiceHistory.SLOT_NANOS;
      take(List.of(sample("web", "users", 1, 2)));
    }
    Objective users = objective("x", "users");
    List<ServiceFigures> slots = history.slots(users);
    // But for the one that is being filled.
    assertEquals(ServiceHistory.SLOTS - 1, slots.size());
    assertEquals(30_000, slots.getLast().agoMillis());
    assertEquals(ServiceHistory.RECENT_SLOTS, history.recent(users).orElseThrow().operations());
    nanos += 1_000 * SECOND;
    assertEquals(Optional.empty(), history.recent(users));
  }

  @Test
  void aClockThatJumpsBackBeginsAnew() {
    take(List.of(sample("web", "users", 1, 2)));
    nanos -= 100 * SECOND;
    take(List.of(sample("web", "users", 2, 2)));
    assertEquals(1, history.slots(objective("x", "users")).size());
    assertEquals(2, history.recent(objective("x", "users")).orElseThrow().operations());
  }

  /** A client says that it is as many applications, and asks for as many tables, as it likes. */
  private void invented() {
    for (int i = 0; i < 2 * ServiceReports.KEYS_MAX; i++) {
      history.take(
          List.of(
              sample("web" + i, "none" + i, 1, 2),
              sample("web" + i, "users", 1, 2),
              sample("shop", "none" + i, 1, 2)),
          STANDING);
    }
  }

  @Test
  void whatAnObjectiveIsAboutHasRoomWhateverElseIsInvented() {
    invented();
    history.take(
        List.of(sample("new", "users", 1_000, 2), sample("shop", "more", 10_000, 2)), STANDING);
    int more = 2 * ServiceReports.KEYS_MAX;
    assertEquals(1_000 + more, history.recent(USERS).orElseThrow().operations());
    assertEquals(10_000 + more, history.recent(objective("shop")).orElseThrow().operations());
  }

  /** What is invented is forgotten sooner, and nothing else. */
  @Test
  void whatAnObjectiveIsAboutIsRememberedWhateverElseIsInvented() {
    for (int slot = 0; slot < ServiceHistory.SLOTS; slot++) {
      for (int part = 0; part < ServiceHistory.PARTS; part++) {
        invented();
        nanos += ServiceHistory.SLOT_NANOS / ServiceHistory.PARTS;
      }
    }
    assertTrue(history.slots(USERS).size() >= ServiceHistory.SLOTS - 1);
    assertTrue(history.slots(objective("none", "none1")).size() < ServiceHistory.SLOTS / 2);
  }

  /** Other numbers are about the same operations; of other tables nothing was said. */
  @Test
  void anObjectiveThatIsStatedAnewKeepsItsPastIfItIsOfTheSameTables() {
    history.take(List.of(sample("web", "users", 5, 2)), STANDING);
    nanos += 10 * SECOND;
    Objective faster = objective("y", "users", "orders").p99(Duration.ofMillis(3));
    assertEquals(5, history.recent(faster).orElseThrow().operations());
    assertEquals(Optional.empty(), history.recent(objective("y", "users")));
  }

  @Test
  void hostileReportsDoNotGrowIt() {
    for (int i = 0; i < 10_000; i++) {
      take(List.of(sample("web" + i, "users", 1, 2)));
    }
    assertEquals(
        ServiceReports.KEYS_MAX,
        history.recent(objective("x", "users")).orElseThrow().operations());
    for (int part = 0; part < ServiceHistory.SLOTS * ServiceHistory.PARTS; part++) {
      nanos += ServiceHistory.SLOT_NANOS / ServiceHistory.PARTS;
      for (int i = 0; i < ServiceReports.KEYS_MAX; i++) {
        take(List.of(sample("web" + i, "users", 1, 2)));
      }
    }
    // But for the part that is being filled.
    assertEquals(
        ServiceHistory.SAMPLES_MAX - ServiceReports.KEYS_MAX,
        history.recent(objective("x", "users")).orElseThrow().operations());
  }
}
