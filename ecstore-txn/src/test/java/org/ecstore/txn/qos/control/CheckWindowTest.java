package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.ControlCheckLine;
import org.junit.jupiter.api.Test;

class CheckWindowTest {
  private final CheckWindow window = new CheckWindow(2);

  private static Objective objective(String application) {
    return new Objective(
        application,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
        ObjectiveWorkload.UNSTATED.with(new OperationRate(100)));
  }

  private void check(ServiceVerdict shop, ServiceVerdict bank) {
    Map<Objective, ServiceVerdict> verdicts = new LinkedHashMap<>();
    verdicts.put(objective("shop"), shop);
    verdicts.put(objective("bank"), bank);
    window.add(verdicts);
  }

  @Test
  void whatTheLastCheckHasFoundIsKnownUntilTheNext() {
    assertEquals(0, window.found(ServiceVerdict.KEPT));
    check(ServiceVerdict.KEPT, ServiceVerdict.VIOLATED);
    assertEquals(1, window.found(ServiceVerdict.KEPT));
    assertEquals(1, window.found(ServiceVerdict.VIOLATED));
    assertFalse(window.isCalm());
    // An action has begun: what counts for the next one begins anew, and that is still known.
    window.clear();
    assertEquals(0, window.checks());
    assertEquals(1, window.found(ServiceVerdict.VIOLATED));
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    assertEquals(2, window.found(ServiceVerdict.KEPT));
    assertEquals(0, window.found(ServiceVerdict.VIOLATED));
    assertTrue(window.isCalm());
    window.forget();
    assertEquals(0, window.found(ServiceVerdict.KEPT));
  }

  /** Silence is calm, and no reason to do with fewer nodes. */
  @Test
  void whereNoClientTellsOfAnythingNothingIsHeard() {
    assertFalse(window.isHeard());
    check(ServiceVerdict.UNKNOWN, ServiceVerdict.UNKNOWN);
    assertTrue(window.isCalm());
    assertFalse(window.isHeard());
    check(ServiceVerdict.UNKNOWN, ServiceVerdict.KEPT);
    assertTrue(window.isHeard());
    check(ServiceVerdict.UNKNOWN, ServiceVerdict.OVER_LOAD);
    assertTrue(window.isHeard());
  }

  /** That no check was made yet is something else. */
  @Test
  void whereNothingIsPromisedNoClientIsMissed() {
    window.add(Map.of());
    assertTrue(window.isHeard());
    assertTrue(window.isCalm());
    window.clear();
    assertTrue(window.isHeard());
    window.forget();
    assertFalse(window.isHeard());
  }

  @Test
  void allThatAreViolatedAreFoundTheMostViolatedFirst() {
    check(ServiceVerdict.VIOLATED, ServiceVerdict.KEPT);
    check(ServiceVerdict.VIOLATED, ServiceVerdict.VIOLATED);
    assertEquals(List.of(objective("shop"), objective("bank")), window.violated());
    // Nothing helps the shop: a window passes until it is looked at again, and the bank's goes on.
    window.clear("shop");
    assertEquals(List.of(objective("bank")), window.violated());
    assertEquals(2, window.checks());
    check(ServiceVerdict.VIOLATED, ServiceVerdict.VIOLATED);
    assertEquals(List.of(objective("bank")), window.violated());
    check(ServiceVerdict.VIOLATED, ServiceVerdict.VIOLATED);
    assertEquals(List.of(objective("bank"), objective("shop")), window.violated());
  }

  /** What is missed of best effort is shown, and calls for nothing. */
  @Test
  void bestEffortIsOwedNothing() {
    Objective reports = Objective.bestEffort("reports").p99(Duration.ofMillis(50));
    window.add(
        Map.of(reports, ServiceVerdict.VIOLATED, objective("shop"), ServiceVerdict.VIOLATED));
    assertFalse(window.isCalm());
    window.add(Map.of(reports, ServiceVerdict.VIOLATED, objective("shop"), ServiceVerdict.KEPT));
    assertTrue(window.isCalm());
    assertEquals(0, window.violated("reports"));
    assertEquals(1, window.violated("shop"));
    assertEquals(List.of(), window.violated());
    assertEquals(1, window.found(ServiceVerdict.VIOLATED));
    assertEquals(
        List.of(new ControlCheckLine("reports", 2, 2, 2), new ControlCheckLine("shop", 2, 2, 1)),
        window.lines());
    window.add(Map.of(reports, ServiceVerdict.VIOLATED, objective("shop"), ServiceVerdict.KEPT));
    assertTrue(window.isQuiet());
    // It is not the one that is violated most often either.
    window.add(
        Map.of(reports, ServiceVerdict.VIOLATED, objective("shop"), ServiceVerdict.VIOLATED));
    assertEquals(List.of(objective("shop")), window.violated());
  }

  /** In each check of a window something is kept, and nothing is violated. */
  @Test
  void quietIsAWindowInWhichNothingIsNeeded() {
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    assertFalse(window.isQuiet());
    check(ServiceVerdict.KEPT, ServiceVerdict.OVER_LOAD);
    assertTrue(window.isQuiet());
    window.countQuietAnew();
    check(ServiceVerdict.UNKNOWN, ServiceVerdict.KEPT);
    assertFalse(window.isQuiet());
    check(ServiceVerdict.UNKNOWN, ServiceVerdict.UNKNOWN);
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    assertFalse(window.isQuiet(), "no client was heard");
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    assertTrue(window.isQuiet());
    check(ServiceVerdict.KEPT, ServiceVerdict.VIOLATED);
    assertFalse(window.isQuiet());
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    check(ServiceVerdict.KEPT, ServiceVerdict.KEPT);
    window.clear();
    assertFalse(window.isQuiet());
  }
}
