package org.ecstore.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ClaimTest {
  private static Repeated repeated(double... values) {
    return new Repeated(DoubleStream.of(values).boxed().toList());
  }

  private static Claim claim(Margin... margins) {
    return Claim.of("paper", "found", List.of(margins));
  }

  private static Margin margin(String where, double... by) {
    return new Margin(where, repeated(by));
  }

  @Test
  void aClaimHoldsIfEachRepetitionAgreesAtEachPoint() {
    Claim claim = claim(margin("here", 0.1, 0.2, 0.3, 0.1, 0.2), margin("there", 2, 2, 2, 1, 2));
    assertEquals(Verdict.HOLDS, claim.verdict());
    assertEquals("here: by +10.0% to +30.0% in 5 repetitions", claim.decided());
  }

  @Test
  void aDifferenceThatTheSpreadCoversIsNotShown() {
    // Figure 5 on processes once: 688 against 662 writes a second, with 797 between.
    Repeated optimistic = repeated(688, 650, 701, 640, 720);
    Repeated pessimistic = repeated(662, 700, 655, 690, 660);
    Claim claim = claim(Margin.above("W = 1 and 3", optimistic, pessimistic));
    assertEquals(Verdict.NOT_SHOWN, claim.verdict());
    assertTrue(!claim.holds());
  }

  @Test
  void aClaimDoesNotHoldIfEachRepetitionContradictsItAtOnePoint() {
    Claim claim = claim(margin("far", 1, 1, 1, 1, 1), margin("near", -0.1, -0.2, 0, -0.3, -0.1));
    assertEquals(Verdict.DOES_NOT_HOLD, claim.verdict());
    assertTrue(claim.decided().startsWith("near"), claim.decided());
  }

  @Test
  void fewerThanFiveRepetitionsShowNothing() {
    assertEquals(Verdict.NOT_SHOWN, claim(margin("here", 1, 1, 1, 1)).verdict());
    assertEquals(Verdict.NOT_SHOWN, claim(margin("here", -1, -1, -1, -1)).verdict());
  }

  @Test
  void repetitionsArePaired() {
    // The second is less in each repetition, though some of it is more than some of the first.
    Margin margin =
        Margin.above("pairs", repeated(10, 20, 30, 40, 50), repeated(9, 18, 27, 36, 45));
    assertEquals(Verdict.HOLDS, claim(margin).verdict());
    assertThrows(
        IllegalArgumentException.class, () -> Margin.above("unequal", repeated(1, 2), repeated(1)));
  }

  @Test
  void aClaimNeedsAPoint() {
    assertThrows(IllegalArgumentException.class, () -> claim());
    assertThrows(IllegalArgumentException.class, () -> repeated());
  }

  @Test
  void shapesOfCurvesBecomeMargins() {
    Series curve = new Series("curve");
    for (int i = 1; i <= 3; i++) {
      double base = i;
      curve.add(6 * i, repeated(1, 1.1, 1.2, 1.3, 1.4).map(each -> each * base));
    }
    assertEquals(2, Margin.rising("%s nodes", curve).size());
    assertTrue(Margin.rising("%s nodes", curve).stream().allMatch(each -> each.by().least() > 0));
    assertTrue(Margin.falling("%s nodes", curve).stream().allMatch(each -> each.by().most() < 0));
    assertEquals(0, Margin.grows(curve, 1).by().least(), 1e-9);
    assertTrue(Margin.steady(curve, 2.9).by().most() < 0);
    assertTrue(Margin.steady(curve, 3.1).by().least() > 0);
    assertEquals(1, Margin.trend(curve).by().median(), 1e-9);
    assertEquals(
        "10% read-only, 12 nodes", Margin.rising("10% read-only, %s nodes", curve).get(0).where());
  }
}
