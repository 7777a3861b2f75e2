package org.ecstore.txn.sequencer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.id.Position;
import org.junit.jupiter.api.Test;

/** One that cannot write the ledger is patient, and more so from turn to turn (decision 0114). */
class LedgerTroubleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long FENCE = 15 * SECOND;

  private final LedgerTrouble trouble = new LedgerTrouble();
  private Position known = new Position(7);
  private long now;

  /** It leads, and no fence succeeds; after how many seconds it stands back. */
  private long turn() {
    long began = now;
    do {
      trouble.tries(now, known);
      now += FENCE;
    } while (trouble.triedNanos(now) < trouble.patienceNanos());
    trouble.stoodBack(now, known);
    trouble.ends();
    return (now - began) / SECOND;
  }

  @Test
  void turnsGrowWhileNoNodeCanWrite() {
    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      turns.add(turn());
    }
    assertEquals(List.of(30L, 60L, 120L, 240L, 480L, 480L, 480L), turns);
  }

  @Test
  void turnIsShortAgainWhereOthersHaveWrittenMeanwhile() {
    assertEquals(30, turn());
    assertEquals(60, turn());
    known = new Position(8);
    assertEquals(30, turn());
    assertEquals(60, turn());
  }

  @Test
  void writerWhoseAppendsFailStandsBackToo() {
    for (int i = 0; i < 3; i++) {
      assertTrue(trouble.triedNanos(now) < trouble.patienceNanos(), "failure " + i);
      trouble.tries(now, known);
      now += SECOND / 100;
      trouble.isWriter(now);
      now += 3_600 * SECOND;
      trouble.tries(now, known);
    }
    assertTrue(trouble.triedNanos(now) >= trouble.patienceNanos());
  }

  @Test
  void appendThatIsDurableEndsTheTrouble() {
    trouble.tries(now, known);
    now += FENCE;
    assertEquals(FENCE, trouble.triedNanos(now));
    trouble.tries(now, known);
    now += FENCE - 1;
    trouble.isWriter(now);
    trouble.writes();
    now += 3_600 * SECOND;
    trouble.tries(now, known);
    assertEquals(0, trouble.triedNanos(now));
  }

  /** A process that stood still has not tried for long. */
  @Test
  void jumpOfTheClockIsNoLongTry() {
    trouble.tries(now, known);
    now += 3_600 * SECOND;
    assertTrue(trouble.triedNanos(now) < trouble.patienceNanos());
  }
}
