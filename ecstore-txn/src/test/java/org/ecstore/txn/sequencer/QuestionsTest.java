package org.ecstore.txn.sequencer;

import static org.ecstore.txn.sequencer.Questions.OF_CLIENTS;
import static org.ecstore.txn.sequencer.Questions.SHARES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.ecstore.id.NodeId;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private final Questions questions = new Questions();

  private long admittedOf(int asked, NodeId from, long nowNanos) {
    return LongStream.range(0, asked)
        .filter(_ -> questions.admits(Asker.CLIENT, from, nowNanos))
        .count();
  }

  /** By clients of many nodes. */
  private long admittedOf(int asked, long nowNanos) {
    return LongStream.range(0, asked)
        .filter(i -> questions.admits(Asker.CLIENT, new NodeId(1 + i % 50), nowNanos))
        .count();
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

  /** Who holds an intent in the way of others is answered however many ids clients make up. */
  @Test
  void clientsThatAskWithoutEndDoNotKeepParticipantsFromAsking() {
    admittedOf(2 * OF_CLIENTS.burst(), 0);
    assertFalse(questions.admits(Asker.CLIENT, ONE, 0));
    assertTrue(questions.admits(Asker.PARTICIPANT, ONE, 0));
  }

  /** They leave the others a share, and yet have all that fills up while those ask nothing. */
  @Test
  void clientsOfOneNodeThatAskWithoutEndLeaveHalfToThoseOfOthers() {
    assertEquals(OF_CLIENTS.burst() / 2, admittedOf(1_000_000, ONE, 0));
    assertEquals(OF_CLIENTS.burst() / SHARES, admittedOf(1_000_000, TWO, 0));
    long later = 3_600 * SECOND;
    admittedOf(1_000_000, ONE, later);
    long inTenSeconds =
        LongStream.rangeClosed(1, 1_000)
            .map(i -> admittedOf(100, ONE, later + i * SECOND / 100))
            .sum();
    assertTrue(inTenSeconds >= 9 * OF_CLIENTS.perSecond(), () -> "only " + inTenSeconds);
    assertEquals(OF_CLIENTS.burst() / SHARES, admittedOf(1_000_000, TWO, later + 10 * SECOND));
  }

  @Test
  void nodesThatAreMadeUpShareWhatThereIs() {
    long nodes = Boolean.getBoolean("ecstore.long") ? 100_000 : 4 * OF_CLIENTS.burst();
    assertEquals(
        OF_CLIENTS.burst(),
        LongStream.range(1, nodes)
            .filter(node -> questions.admits(Asker.CLIENT, new NodeId(node), 0))
            .count());
  }
}
