package org.ecstore.verify.check;

import static org.ecstore.verify.check.HandMade.SESSION;
import static org.ecstore.verify.check.HandMade.SESSION_SNAPSHOT;
import static org.ecstore.verify.check.HandMade.STRICT;
import static org.ecstore.verify.check.HandMade.STRONG_SNAPSHOT;
import static org.ecstore.verify.check.HandMade.append;
import static org.ecstore.verify.check.HandMade.list;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each anomaly of lists, written by hand, is found; and what is allowed is not reported. */
class AppendCheckTest {
  private final HandMade made = new HandMade();

  private void assertFound(Promise promise, String... kinds) {
    Report report = made.check(promise);
    assertEquals(List.of(kinds), List.copyOf(report.counts().keySet()), report::toString);
    assertEquals(Report.Verdict.VIOLATED, report.verdict());
  }

  private void assertClean(Promise promise) {
    Report report = made.check(promise);
    assertEquals(Report.Verdict.CLEAN, report.verdict(), report::toString);
  }

  /** The cycle is seen from what clients read and wrote alone, and named with its transactions. */
  private void assertCycle(Promise promise, String kind, String... names) {
    Report report = made.withoutPositions().check(promise);
    assertEquals(List.of(kind), List.copyOf(report.counts().keySet()), report::toString);
    String text = report.anomalies().getFirst().text();
    assertTrue(text.startsWith("a cycle breaks " + promise.title()), text);
    for (String name : names) {
      assertTrue(text.contains("\n    " + name + " "), text);
    }
  }

  @Test
  void serialAppendsAreClean() {
    made.done(1, 1, 2, append(5, 10), append(6, 20))
        .done(2, 2, 3, list(5, 10), append(5, 11), list(5, 10, 11))
        .invoke(1, append(5, 12))
        .fail(1)
        .invoke(3, append(5, 13))
        .info(3)
        .invoke(4, append(5, 14))
        .info(4)
        .done(1, 5, 0, list(5, 10, 11, 13), list(6, 20), list(7));
    for (Promise promise : List.of(STRICT, SESSION, STRONG_SNAPSHOT, SESSION_SNAPSHOT)) {
      assertClean(promise);
    }
  }

  @Test
  void transactionThatNeverCompletedMayHaveHappened() {
    made.invoke(1, append(5, 10)).done(2, 4, 0, list(5, 10));
    assertClean(STRICT);
  }

  @Test
  void nothingCommittedIsUnknown() {
    made.invoke(1, append(5, 10)).info(1);
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }

  @Test
  void appendThatNoAttemptReadIsUnknown() {
    made.done(1, 1, 2, append(5, 10)).done(2, 2, 0, list(6));
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }

  @Test
  void lostAppendIsFound() {
    made.done(1, 1, 2, append(5, 10))
        .done(2, 2, 3, append(5, 11), list(5, 11))
        .done(1, 3, 0, list(5, 11));
    assertFound(STRICT, "lost-append");
    String text = made.check(STRICT).anomalies().getFirst().text();
    assertTrue(text.contains("T0 ") && text.contains("T2 "), text);
  }

  @Test
  void appendAppliedTwiceIsFound() {
    made.done(1, 1, 2, append(5, 10)).done(2, 3, 0, list(5, 10, 10));
    assertFound(STRICT, "duplicate-element");
  }

  @Test
  void elementWithoutAWriterIsFound() {
    made.done(1, 1, 2, append(5, 10)).done(2, 3, 0, list(5, 10, 99));
    assertFound(STRICT, "garbage-read");
  }

  @Test
  void abortedAppendThatIsReadIsFound() {
    made.invoke(1, append(5, 10)).fail(1).done(2, 3, 0, list(5, 10));
    assertFound(STRICT, "G1a");
  }

  @Test
  void readInTheMiddleOfATransactionIsFound() {
    made.invoke(1, append(5, 10), append(5, 11))
        .done(2, 1, 0, list(5, 10))
        .ok(1, 1, 2)
        .done(2, 2, 0, list(5, 10, 11));
    assertFound(STRICT, "G1b");
  }

  @Test
  void appendsThatInterleaveAreFound() {
    made.invoke(1, append(5, 10), append(5, 11))
        .invoke(2, append(5, 20), append(5, 21))
        .ok(1, 1, 2)
        .ok(2, 2, 3)
        .done(3, 3, 0, list(5, 10, 20, 11, 21));
    assertTrue(made.kinds(STRICT).contains("G0"), made.kinds(STRICT)::toString);
  }

  @Test
  void writesInTwoOrdersAreFound() {
    made.invoke(1, append(5, 10), append(6, 11))
        .invoke(2, append(5, 20), append(6, 21))
        .ok(1, 1, 2)
        .ok(2, 2, 3)
        .done(3, 3, 0, list(5, 10, 20), list(6, 21, 11));
    assertCycle(SESSION, "G0", "T0", "T1");
    assertEquals(List.of("G0", "numbers-out-of-order"), made.kinds(STRICT));
  }

  @Test
  void listsThatForkAreFound() {
    made.done(1, 1, 2, append(5, 10))
        .done(2, 2, 3, append(5, 11))
        .done(3, 3, 0, list(5, 10, 11))
        .done(4, 3, 0, list(5, 11));
    assertTrue(made.kinds(STRICT).contains("incompatible-order"), made.kinds(STRICT)::toString);
  }

  @Test
  void transactionThatMissesItsOwnAppendIsFound() {
    made.done(1, 1, 2, append(5, 10), list(5)).done(1, 2, 0, list(5, 10));
    assertFound(STRICT, "internal");
  }

  @Test
  void transactionThatReadsAKeyInTwoStatesIsFound() {
    made.done(1, 1, 2, append(5, 10)).done(2, 2, 0, list(5), list(5, 10));
    assertTrue(made.kinds(SESSION).contains("internal"), made.kinds(SESSION)::toString);
  }

  @Test
  void circularInformationFlowIsFound() {
    made.invoke(1, append(5, 10), list(6, 20))
        .invoke(2, append(6, 20), list(5, 10))
        .ok(1, 1, 2)
        .ok(2, 2, 3)
        .done(3, 3, 0, list(5, 10), list(6, 20));
    assertCycle(SESSION, "G1c", "T0", "T1");
    assertCycle(SESSION_SNAPSHOT, "G1c", "T0", "T1");
  }

  private void readSkew() {
    made.invoke(1, append(5, 10), append(6, 11))
        .invoke(2, list(5, 10), list(6))
        .ok(1, 1, 2)
        .ok(2, 2)
        .done(3, 2, 0, list(5, 10), list(6, 11));
  }

  @Test
  void readSkewIsFound() {
    readSkew();
    assertCycle(SESSION, "G-single", "T0", "T1");
    assertCycle(SESSION_SNAPSHOT, "G-single", "T0", "T1");
    assertFound(STRICT, "G-single", "missed-commit");
  }

  private void lostUpdate() {
    made.invoke(1, list(5), append(5, 10))
        .invoke(2, list(5), append(5, 11))
        .ok(1, 1, 2)
        .ok(2, 1, 3)
        .done(3, 3, 0, list(5, 10, 11));
  }

  @Test
  void lostUpdateIsFound() {
    lostUpdate();
    assertCycle(SESSION, "G-single", "T0", "T1");
    assertCycle(SESSION_SNAPSHOT, "G-single", "T0", "T1");
    assertFound(STRICT, "G-single", "lost-update", "read-not-validated");
  }

  private void writeSkew() {
    made.invoke(1, list(5), list(6), append(5, 10))
        .invoke(2, list(5), list(6), append(6, 20))
        .ok(1, 1, 2)
        .ok(2, 1, 3)
        .done(3, 3, 0, list(5, 10), list(6, 20));
  }

  @Test
  void writeSkewOfSerializableTransactionsIsFound() {
    writeSkew();
    assertCycle(SESSION, "G2-item", "T0", "T1");
    assertFound(STRICT, "G2-item", "read-not-validated");
  }

  @Test
  void writeSkewOfSnapshotTransactionsIsAllowed() {
    writeSkew();
    assertClean(STRONG_SNAPSHOT);
  }

  @Test
  void longForkIsFound() {
    made.invoke(1, append(5, 10))
        .invoke(2, append(6, 20))
        .invoke(3, list(5, 10), list(6))
        .invoke(4, list(5), list(6, 20))
        .ok(1, 1, 2)
        .ok(2, 1, 3)
        .ok(3, 2)
        .ok(4, 3)
        .done(5, 3, 0, list(5, 10), list(6, 20));
    assertCycle(SESSION, "G2-item", "T0", "T1", "T2", "T3");
    assertCycle(SESSION_SNAPSHOT, "G-nonadjacent", "T0", "T1", "T2", "T3");
  }

  @Test
  void staleReadIsFoundOnlyWhereTimeWasPromised() {
    made.done(1, 1, 2, append(5, 10)).done(2, 1, 0, list(5)).done(1, 2, 0, list(5, 10));
    assertCycle(STRICT, "G-single-realtime", "T0", "T2");
    assertCycle(STRONG_SNAPSHOT, "G-single-realtime", "T0", "T2");
    assertFound(STRICT, "G-single-realtime", "stale-strong-start");
    assertClean(SESSION);
    assertClean(SESSION_SNAPSHOT);
  }

  @Test
  void staleReadAcrossManyCompletionsIsNamedByItsTwoEnds() {
    made.done(1, 1, 2, append(5, 10));
    for (int i = 0; i < 50; i++) {
      made.done(2, 2, 0, list(7));
    }
    made.done(3, 1, 0, list(5)).done(1, 2, 0, list(5, 10));
    assertCycle(STRICT, "G-single-realtime", "T0", "T102");
    String text = made.withoutPositions().check(STRICT).anomalies().getFirst().text();
    assertTrue(text.contains("completed (line 1) before the next began (line 102)"), text);
  }

  @Test
  void sessionThatMissesItsOwnAppendIsFound() {
    made.done(1, 1, 2, append(5, 10)).done(1, 1, 0, list(5)).done(1, 2, 0, list(5, 10));
    assertCycle(SESSION, "G-single-process", "T0", "T2");
    assertCycle(SESSION_SNAPSHOT, "G-single-process", "T0", "T2");
    assertFound(SESSION, "G-single-process", "stale-session-start");
  }

  @Test
  void sessionThatGoesBackIsFound() {
    made.invoke(9, append(5, 10))
        .done(1, 2, 0, list(5, 10))
        .done(1, 1, 0, list(5))
        .ok(9, 1, 2)
        .done(1, 2, 0, list(5, 10));
    assertCycle(SESSION, "G-single-process", "T1", "T3");
    assertFound(SESSION, "G-single-process", "stale-session-start");
  }

  @Test
  void halfOfAnUnknownTransactionIsFound() {
    made.invoke(1, append(5, 10), append(6, 20))
        .info(1)
        .done(2, 3, 0, list(5, 10))
        .done(2, 4, 0, list(5, 10), list(6));
    assertFound(STRICT, "fractured");
  }

  /** It is there in the end, but was not yet for a later reader than saw the other half. */
  @Test
  void unknownTransactionThatComesInHalvesIsFound() {
    made.invoke(1, append(5, 10), append(6, 20))
        .info(1)
        .invoke(2, list(5, 10))
        .invoke(3, list(6))
        .ok(2, 3)
        .ok(3, 4)
        .done(2, 5, 0, list(5, 10), list(6, 20));
    assertFound(STRICT, "fractured");
  }

  @Test
  void commitNumberUsedTwiceIsFound() {
    made.done(1, 1, 2, append(5, 10))
        .done(2, 2, 2, append(6, 20))
        .done(3, 3, 0, list(5, 10), list(6, 20));
    assertFound(STRICT, "number-below-snapshot", "number-twice");
  }

  @Test
  void readAboveTheSnapshotIsFound() {
    made.done(1, 1, 2, append(5, 10)).invoke(2, append(5, 11)).done(3, 2, 0, list(5, 10, 11));
    made.ok(2, 2, 3);
    assertFound(STRICT, "read-above-snapshot");
  }

  @Test
  void missingPositionsAreUnknown() {
    made.done(1, 1, 2, append(5, 10)).done(2, 0, 0, list(5, 10));
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }

  @Test
  void elementAppendedTwiceByClientsIsUnknown() {
    made.done(1, 1, 2, append(5, 10)).done(2, 2, 3, append(5, 10)).done(3, 3, 0, list(5, 10));
    assertTrue(!made.check(STRICT).undecided().isEmpty());
  }

  /** A store that takes no writes is read as empty, which is right, and was taken for clean. */
  @Test
  void readsOfAStoreThatTakesNoWritesAreUnknown() {
    made.invoke(1, append(5, 10)).fail(1).done(2, 1, 0, list(5));
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }
}
