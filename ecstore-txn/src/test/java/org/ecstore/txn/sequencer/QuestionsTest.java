package org.ecstore.txn.sequencer;

import static org.ecstore.txn.sequencer.Questions.OF_CLIENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionsTest {
  private static final long SECOND = 1_000_000_000L;

  private final Questions questions = new Questions();

  private long admittedOf(int asked, long nowNanos) {
    return IntStream.range(0, asked).filter(_ -> questions.admits(Asker.CLIENT, nowNanos)).count();
  }

  /** Whatever the clock's zero is. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, 4_611_686_018_400_000_000L})
  void idsThatAreMadeUpMakeSoManyRecordsAndThenSoManyASecond(long zero) {
    assertEquals(OF_CLIENTS.burst(), admittedOf(1_000_000, zero));
    assertEquals(OF_CLIENTS.perSecond(), admittedOf(1_000_000, zero + SECOND));
    assertEquals(10 * OF_CLIENTS.perSecond(), admittedOf(1_000_000, zero + 11 * SECOND));
  }

  @Test
  void afterAWhileWithoutQuestionsAsManyMayComeAtOnceAsAtFirst() {
    assertEquals(OF_CLIENTS.burst(), admittedOf(30_000, 0));
    assertEquals(OF_CLIENTS.burst(), admittedOf(30_000, 3_600 * SECOND));
  }

  /** Who holds a mark in the way of others is answered however many ids clients make up. */
  @Test
  void clientsThatAskWithoutEndDoNotKeepParticipantsFromAsking() {
    IntStream.range(0, 2 * OF_CLIENTS.burst()).forEach(_ -> questions.admits(Asker.CLIENT, 0));
    assertFalse(questions.admits(Asker.CLIENT, 0));
    assertTrue(questions.admits(Asker.PARTICIPANT, 0));
  }
}
