package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written by quorum is committed before copies are waited for, and is told as that. */
class QuorumPutTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final QuorumStore quorum = fixture.store.quorum(3, 3, 1);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void isCommittedOnce(QuorumWrite write, int copies) {
    assertEquals(copies, write.copies());
    assertTrue(write.isUnderReplicated());
    assertEquals(Optional.of(Bytes.utf8("kept")), fixture.cluster.store().newest(stored(1)));
    assertEquals(fixture.cluster.store().durable(), write.number());
    assertEquals(1, fixture.cluster.store().commitsApplied());
  }

  @Test
  void aStoreThatIsClosedMeanwhileDoesNotMakeItFail() {
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.QuorumWait) {
            fixture.store.close();
            return new Fault.NotSent();
          }
          return new Fault.None();
        });
    isCommittedOnce(quorum.put(WORDS, key(1), "kept"), 0);
  }

  @Test
  void aNodeThatAnswersSomethingElseDoesNotMakeItFail() {
    Deque<ClientReply> answers =
        new ArrayDeque<>(
            List.of(new ClientReply.QuorumReached(2), new ClientReply.OutcomeUnknown("what?")));
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.QuorumWait
                ? new Fault.Instead(answers.remove())
                : new Fault.None());
    isCommittedOnce(quorum.put(WORDS, key(1), "kept"), 2);
  }

  @Test
  void aCallerWhoIsInterruptedLearnsThatItIsCommitted() {
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.QuorumWait) {
            Thread.currentThread().interrupt();
            return new Fault.NotSent();
          }
          return new Fault.None();
        });
    isCommittedOnce(quorum.put(WORDS, key(1), "kept"), 0);
    assertTrue(Thread.interrupted());
  }
}
