package org.ecstore.model.objective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceVerdictTest {
  private static final int SECONDS = 10;
  private static final Objective SHOP =
      Objective.guaranteed("shop").p99(Duration.ofMillis(20)).rate(1_000);

  /** So many operations a second, of which so many had no answer; the others took so long. */
  private static ServiceFigures figures(long perSecond, long failedPerSecond, long millis) {
    long micros = millis * 1_000;
    return new ServiceFigures(
        0,
        SECONDS * 1_000L,
        perSecond * SECONDS,
        0,
        failedPerSecond * SECONDS,
        micros,
        micros,
        micros);
  }

  private static ServiceVerdict verdict(Objective objective, ServiceFigures figures) {
    return ServiceVerdict.of(objective, Optional.of(figures));
  }

  @Test
  void withoutAReportNothingIsKnown() {
    assertEquals(ServiceVerdict.UNKNOWN, ServiceVerdict.of(SHOP, Optional.empty()));
  }

  @Test
  void aResponseTimeThatIsHeldIsKept() {
    assertEquals(ServiceVerdict.KEPT, verdict(SHOP, figures(1_000, 0, 20)));
    assertEquals(ServiceVerdict.VIOLATED, verdict(SHOP, figures(1_000, 0, 21)));
  }

  /** More was asked for than was stated: then that response time is not owed. */
  @Test
  void aResponseTimeThatIsMissedAboveTheRateIsOverLoad() {
    assertEquals(ServiceVerdict.OVER_LOAD, verdict(SHOP, figures(1_001, 0, 21)));
    assertEquals(ServiceVerdict.KEPT, verdict(SHOP, figures(5_000, 0, 20)));
    Objective clients = Objective.guaranteed("shop").p99(Duration.ofMillis(20)).clients(4);
    assertEquals(ServiceVerdict.VIOLATED, verdict(clients, figures(1_000_000, 0, 21)));
  }

  @Test
  void eachResponseTimeHasToBeHeld() {
    Objective both = SHOP.mean(Duration.ofMillis(5));
    ServiceFigures slowMean = new ServiceFigures(0, 1_000, 100, 0, 0, 6_000, 8_000, 10_000);
    assertEquals(ServiceVerdict.VIOLATED, verdict(both, slowMean));
    assertEquals(ServiceVerdict.KEPT, verdict(SHOP, slowMean));
    assertEquals(Statistic.MEAN, ServiceVerdict.tightest(both, slowMean).orElseThrow().statistic());
  }

  /** What is refused has no response time, however fast that was said. */
  @Test
  void moreThanOneOfAHundredWithoutAnAnswerIsAViolation() {
    assertEquals(ServiceVerdict.KEPT, verdict(SHOP, figures(1_000, 10, 1)));
    assertEquals(ServiceVerdict.VIOLATED, verdict(SHOP, figures(1_000, 11, 1)));
    assertEquals(ServiceVerdict.VIOLATED, verdict(SHOP, figures(1_000, 1_000, 0)));
  }

  @Test
  void aPercentileSaysHowManyMayHaveNoAnswer() {
    Objective p95 = Objective.guaranteed("shop").p95(Duration.ofMillis(20)).rate(1_000);
    assertEquals(ServiceVerdict.KEPT, verdict(p95, figures(1_000, 50, 1)));
    assertEquals(ServiceVerdict.VIOLATED, verdict(p95, figures(1_000, 51, 1)));
    Objective mean = Objective.guaranteed("shop").mean(Duration.ofMillis(20)).rate(1_000);
    assertEquals(ServiceVerdict.KEPT, verdict(mean, figures(1_000, 10, 1)));
    assertEquals(ServiceVerdict.VIOLATED, verdict(mean, figures(1_000, 11, 1)));
    Objective both = p95.p99(Duration.ofMillis(30));
    assertEquals(ServiceVerdict.VIOLATED, verdict(both, figures(1_000, 11, 1)));
  }

  /** Of a hundred that are owed one may be late or have no answer, and not one of each. */
  @Test
  void whatHadNoAnswerIsAmongThoseThatAPercentileLeavesOut() {
    assertEquals(0.99, within(SHOP, figures(1_000, 0, 1), Statistic.P99));
    // Four of 996 answers are as many as 0.4 of a hundred; 0.6 of a hundred may be late.
    assertEquals(990 / 996.0, within(SHOP, figures(1_000, 4, 1), Statistic.P99), 1e-9);
    assertEquals(1, within(SHOP, figures(1_000, 10, 1), Statistic.P99), 1e-9);
    // It is violated by these alone.
    assertEquals(0.99, within(SHOP, figures(1_000, 11, 1), Statistic.P99));
    // Of what is not promised, and of what is beyond the rate, nothing is left out.
    assertEquals(0.95, within(SHOP, figures(1_000, 4, 1), Statistic.P95));
    assertEquals(0.99, within(SHOP, figures(2_000, 1_000, 1), Statistic.P99));
    assertEquals(990 / 996.0, within(SHOP, figures(2_000, 1_004, 1), Statistic.P99), 1e-9);
  }

  private static double within(Objective objective, ServiceFigures figures, Statistic statistic) {
    return ServiceVerdict.answersWithin(objective, figures, statistic);
  }

  /** Twice the stated rate, of which a half is refused: the other half is all that is owed. */
  @Test
  void whatIsBeyondThePromiseMayBeRefused() {
    ServiceFigures beyond = figures(2_000, 1_010, 1);
    assertFalse(ServiceVerdict.isUnanswered(SHOP, beyond));
    assertEquals(ServiceVerdict.KEPT, verdict(SHOP, beyond));
    ServiceFigures within = figures(2_000, 1_011, 1);
    assertTrue(ServiceVerdict.isUnanswered(SHOP, within));
    assertEquals(ServiceVerdict.VIOLATED, verdict(SHOP, within));
    assertEquals(ServiceVerdict.OVER_LOAD, verdict(SHOP, figures(2_000, 1_000, 21)));
  }

  @Test
  void whoIsPromisedNothingMissesNothing() {
    Objective reports = Objective.bestEffort("reports");
    assertEquals(ServiceVerdict.KEPT, verdict(reports, figures(1_000, 1_000, 500)));
  }
}
