package org.ecstore.verify.check;

import static org.ecstore.verify.check.HandMade.SESSION;
import static org.ecstore.verify.check.HandMade.SESSION_SNAPSHOT;
import static org.ecstore.verify.check.HandMade.STRICT;
import static org.ecstore.verify.check.HandMade.STRONG_SNAPSHOT;
import static org.ecstore.verify.check.HandMade.nothing;
import static org.ecstore.verify.check.HandMade.value;
import static org.ecstore.verify.check.HandMade.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each anomaly of registers, written by hand, is found; and what is allowed is not reported. */
class RegisterCheckTest {
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

  @Test
  void serialWritesAreClean() {
    made.done(1, 1, 2, nothing(5), write(5, 10), value(5, 10))
        .done(2, 2, 3, value(5, 10), write(5, 11), write(5, 12))
        .invoke(1, write(5, 13))
        .fail(1)
        .invoke(3, write(5, 14))
        .info(3)
        .done(1, 3, 0, value(5, 12))
        .done(1, 4, 0, value(5, 14))
        .done(1, 4, 6, write(5, 15))
        .done(2, 6, 0, value(5, 15), nothing(6));
    for (Promise promise : List.of(STRICT, SESSION, STRONG_SNAPSHOT, SESSION_SNAPSHOT)) {
      assertClean(promise);
    }
  }

  @Test
  void blindWritesOfSerializableTransactionsMayOverlap() {
    made.invoke(1, write(5, 10)).invoke(2, write(5, 11)).ok(1, 1, 2).ok(2, 1, 3);
    made.done(3, 3, 0, value(5, 11));
    assertClean(STRICT);
    assertFound(STRONG_SNAPSHOT, "lost-update");
  }

  @Test
  void lostWriteIsFound() {
    made.done(1, 1, 2, write(5, 10)).done(2, 2, 0, nothing(5));
    assertFound(STRICT, "G-single-realtime", "missed-commit");
  }

  @Test
  void writeThatNoAttemptReadIsUnknown() {
    made.done(1, 1, 2, write(5, 10));
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }

  @Test
  void valueWithoutAWriterIsFound() {
    made.done(1, 1, 2, write(5, 10)).done(2, 2, 0, value(5, 99)).done(2, 2, 0, value(5, 10));
    assertFound(STRICT, "garbage-read");
  }

  @Test
  void abortedWriteThatIsReadIsFound() {
    made.invoke(1, write(5, 10)).fail(1).done(2, 2, 0, value(5, 10));
    assertFound(STRICT, "G1a");
  }

  @Test
  void readInTheMiddleOfATransactionIsFound() {
    made.done(1, 1, 2, write(5, 10), write(5, 11))
        .done(2, 2, 0, value(5, 10))
        .done(2, 2, 0, value(5, 11));
    assertFound(STRICT, "G1b");
  }

  @Test
  void transactionThatMissesItsOwnWriteIsFound() {
    made.done(1, 1, 2, write(5, 10), nothing(5)).done(2, 2, 0, value(5, 10));
    assertFound(STRICT, "internal");
  }

  @Test
  void writeSkewIsFoundWhereSerializabilityWasPromised() {
    made.invoke(1, nothing(5), nothing(6), write(5, 10))
        .invoke(2, nothing(5), nothing(6), write(6, 20))
        .ok(1, 1, 2)
        .ok(2, 1, 3)
        .done(3, 3, 0, value(5, 10), value(6, 20));
    assertFound(STRICT, "G2-item", "read-not-validated");
    assertClean(STRONG_SNAPSHOT);
  }

  @Test
  void readSkewIsFound() {
    made.invoke(1, write(5, 10), write(6, 20))
        .invoke(2, value(5, 10), nothing(6))
        .ok(1, 1, 2)
        .ok(2, 2)
        .done(3, 2, 0, value(5, 10), value(6, 20));
    assertFound(STRONG_SNAPSHOT, "G-single", "missed-commit");
  }

  @Test
  void staleReadIsFoundOnlyWhereTimeWasPromised() {
    made.done(1, 1, 2, write(5, 10)).done(2, 1, 0, nothing(5)).done(1, 2, 0, value(5, 10));
    assertFound(STRICT, "G-single-realtime", "stale-strong-start");
    assertClean(SESSION);
  }

  @Test
  void valueThatComesAndGoesIsFound() {
    made.done(1, 1, 2, write(5, 10))
        .invoke(2, write(5, 11))
        .info(2)
        .done(3, 4, 0, value(5, 11))
        .done(3, 5, 0, value(5, 10));
    assertTrue(made.kinds(STRICT).contains("versions-go-back"), made.kinds(STRICT)::toString);
  }

  /** Written on one key and not on the other: no commit does that. */
  @Test
  void halfOfAnUnknownTransactionIsFound() {
    made.invoke(1, write(5, 10), write(6, 20))
        .info(1)
        .invoke(2, value(5, 10))
        .invoke(3, nothing(6))
        .ok(2, 3)
        .ok(3, 4);
    assertFound(STRICT, "fractured");
  }

  @Test
  void halfOfAnUnknownTransactionOverAnotherIsFound() {
    made.done(1, 1, 2, write(5, 10), write(6, 20))
        .invoke(2, write(5, 11), write(6, 21))
        .info(2)
        .invoke(3, value(6, 20))
        .invoke(4, value(5, 11))
        .ok(3, 6)
        .ok(4, 4);
    assertFound(STRICT, "fractured");
  }

  @Test
  void unknownTransactionThatWasWrittenOverIsWhole() {
    made.done(1, 1, 2, write(5, 10), write(6, 20))
        .invoke(2, write(5, 11), write(6, 21))
        .info(2)
        .done(1, 3, 5, write(6, 22))
        .done(3, 3, 0, value(6, 20))
        .done(3, 6, 0, value(5, 11), value(6, 22));
    assertEquals(
        Report.Verdict.CLEAN, made.check(SESSION).verdict(), made.check(SESSION)::toString);
  }

  /** The only place that the second key leaves is one that the first key forbids. */
  @Test
  void unknownTransactionThatFitsNowhereIsFound() {
    made.done(1, 1, 2, write(5, 10), write(6, 20))
        .invoke(2, write(5, 11), write(6, 21))
        .info(2)
        .done(1, 3, 5, write(6, 22))
        .done(1, 5, 7, write(6, 23))
        .invoke(3, value(6, 20))
        .invoke(4, value(6, 22))
        .invoke(6, value(5, 10))
        .invoke(5, value(5, 11))
        .ok(3, 4)
        .ok(4, 6)
        .ok(6, 6)
        .ok(5, 8)
        .done(7, 8, 0, value(6, 23));
    assertFound(SESSION, "fractured");
  }

  @Test
  void unknownTransactionOfWhichNoAttemptReadTheOtherKeyIsUnknown() {
    made.invoke(1, write(5, 10), write(6, 20)).info(1).done(2, 3, 0, value(5, 10));
    assertEquals(Report.Verdict.UNKNOWN, made.check(STRICT).verdict());
  }
}
