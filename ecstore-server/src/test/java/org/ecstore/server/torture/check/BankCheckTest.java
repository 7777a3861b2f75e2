package org.ecstore.server.torture.check;

import static org.ecstore.server.torture.check.HandMade.STRICT;
import static org.ecstore.server.torture.check.HandMade.balances;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ecstore.server.torture.history.Elements;
import org.ecstore.server.torture.history.MicroOp;
import org.junit.jupiter.api.Test;

/** What must not be seen of a bank is found. */
class BankCheckTest {
  private final HandMade made =
      new HandMade().done(1, 1, 2, new MicroOp.Open(Elements.of(10, 10, 10)));

  private static MicroOp transfer(int from, int to, long amount) {
    return new MicroOp.Transfer(from, to, amount);
  }

  private void assertVerdict(Report.Verdict verdict, String... kinds) {
    Report report = made.check(STRICT);
    assertEquals(List.of(kinds), List.copyOf(report.counts().keySet()), report::toString);
    assertEquals(verdict, report.verdict(), report::toString);
  }

  @Test
  void transfersThatAddUpAreClean() {
    made.done(1, 2, 3, transfer(0, 1, 4))
        .done(2, 3, 0, balances(6, 14, 10))
        .invoke(3, transfer(1, 2, 1))
        .info(3)
        .invoke(4, transfer(1, 2, 2))
        .info(4)
        .invoke(2, transfer(1, 2, 7))
        .fail(2)
        .done(2, 5, 0, balances(6, 12, 12));
    assertVerdict(Report.Verdict.CLEAN);
  }

  @Test
  void wrongTotalIsFound() {
    made.done(1, 2, 3, transfer(0, 1, 4)).done(2, 3, 0, balances(6, 10, 10));
    assertVerdict(Report.Verdict.VIOLATED, "wrong-total");
  }

  @Test
  void lostTransferIsFoundThoughTheTotalIsRight() {
    made.done(1, 2, 3, transfer(0, 1, 4)).done(2, 3, 0, balances(10, 10, 10));
    assertVerdict(Report.Verdict.VIOLATED, "wrong-balances");
  }

  @Test
  void transferAppliedTwiceIsFound() {
    made.invoke(1, transfer(0, 1, 4)).info(1).done(2, 4, 0, balances(2, 18, 10));
    assertVerdict(Report.Verdict.VIOLATED, "wrong-balances");
  }

  @Test
  void negativeBalanceIsFound() {
    made.done(1, 2, 3, transfer(0, 1, 14)).done(2, 3, 0, balances(-4, 24, 10));
    assertVerdict(Report.Verdict.VIOLATED, "negative-balance");
  }

  @Test
  void transferThatNobodyLookedAtIsUnknown() {
    made.done(1, 2, 3, transfer(0, 1, 4));
    assertVerdict(Report.Verdict.UNKNOWN);
  }

  @Test
  void balancesOfAnOlderStateThanPromisedAreFound() {
    made.done(1, 2, 3, transfer(0, 1, 4))
        .done(2, 2, 0, balances(10, 10, 10))
        .done(2, 3, 0, balances(6, 14, 10));
    assertVerdict(Report.Verdict.VIOLATED, "stale-strong-start");
  }
}
