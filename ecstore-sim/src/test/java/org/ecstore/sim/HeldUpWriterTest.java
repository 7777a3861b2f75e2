package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.Holdings;
import org.junit.jupiter.api.Test;

/** When a store counts as stuck (decision 0094). */
class HeldUpWriterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LOOKS = 3;

  private final LoneNode node = new LoneNode(new NodeId(1));
  private final CopyPersistence persistence =
      new CopyPersistence(node.context, node.copies, node.writer, LOOKS);

  private void note(long incarnation) {
    node.writer.apply(List.of(), List.of(Holdings.incarnationEntry(incarnation)), () -> {});
    node.run();
  }

  private void looks(int times) {
    for (int i = 0; i < times; i++) {
      node.nanos += SECOND;
      persistence.look();
    }
  }

  @Test
  void aCallThatDoesNotSucceedSaysSoAfterSomeLooks() {
    looks(1);
    node.full(true);
    note(1);
    looks(LOOKS - 1);
    assertFalse(persistence.isStuck());
    assertEquals(0, persistence.stuckSeconds());
    looks(1);
    assertTrue(persistence.isStuck());
    assertEquals(LOOKS, persistence.stuckSeconds());
    assertTrue(
        persistence
            .trouble()
            .orElse("")
            .endsWith(", for 3 s: start the store again, or make room for it"));
    node.passTime();
    looks(1);
    assertEquals(LOOKS + 1, persistence.stuckSeconds());
    node.full(false);
    node.passTime();
    looks(1);
    assertFalse(persistence.isStuck());
    assertEquals(Optional.empty(), persistence.trouble());
  }

  @Test
  void aCallThatHasNoAnswerSaysSoToo() {
    node.writer.sync(() -> {});
    node.context.flush();
    looks(LOOKS);
    assertTrue(persistence.isStuck());
    assertTrue(persistence.trouble().orElse("").startsWith("it does not answer, for "));
    node.run();
    looks(1);
    assertFalse(persistence.isStuck());
  }

  @Test
  void anotherCallAtEachLookSaysNothing() {
    for (int i = 0; i < 3 * LOOKS; i++) {
      note(i);
      node.writer.sync(() -> {});
      node.context.flush();
      looks(1);
      node.run();
    }
    assertFalse(persistence.isStuck());
  }

  /** It jumps between two looks. */
  @Test
  void aClockThatJumpsSaysNothing() {
    node.writer.sync(() -> {});
    node.context.flush();
    node.nanos += 3_600 * SECOND;
    looks(1);
    assertFalse(persistence.isStuck());
  }

  @Test
  void aClearTakesAsLongAsItTakesUnlessItFailsAgainAndAgain() {
    node.writer.clear(KeyRange.ALL, () -> {});
    node.context.flush();
    looks(2 * LOOKS);
    assertFalse(persistence.isStuck());
    node.full(true);
    node.run();
    looks(2 * LOOKS);
    assertFalse(persistence.isStuck(), "it has failed once");
    node.passTime();
    node.passTime();
    looks(LOOKS);
    assertTrue(persistence.isStuck());
  }
}
