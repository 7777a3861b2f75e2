package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class LateRequestsTest {
  private static final long MILLI = 1_000_000;

  private final List<ClientReply> replies = new ArrayList<>();
  private final LateRequests late = new LateRequests((call, reply) -> replies.add(reply));

  private boolean refused(ClientRequest request, long millis) {
    return late.refused(new Event.Called(new ClientCall(1, 2), request), millis * MILLI);
  }

  private static ClientRequest commit(int timeoutMillis) {
    return new ClientRequest.Commit(
        new TxnId(1, 1),
        ReadPoint.ZERO,
        Isolation.SNAPSHOT,
        List.of(),
        List.of(),
        List.of(),
        timeoutMillis);
  }

  @Test
  void aCommitThatWaitedForHalfOfItsTimeIsRefusedBeforeItIsBegun() {
    assertFalse(refused(commit(1_000), 500));
    assertTrue(refused(commit(1_000), 501));
    assertTrue(refused(commit(60_000), 2_001));
    ClientReply.Refused told = (ClientReply.Refused) replies.getFirst();
    assertEquals(RefusalCode.OVERLOADED, told.code());
    assertEquals("waited in line for 501 ms and was not begun", told.detail());
  }

  @Test
  void aQuestionForAnOutcomeIsAnsweredHoweverLate() {
    assertFalse(refused(new ClientRequest.AskOutcome(new TxnId(1, 1), ReadPoint.ZERO), 60_000));
    assertTrue(refused(new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO), 2_001));
    assertFalse(late.refused(new Event.ClientGone(1), Long.MAX_VALUE));
    assertEquals(1, replies.size());
  }

  @Test
  void whoLooksAtTheClusterIsRefusedAsReadsAreAndWhoLooksAtTheNodeIsNot() {
    assertFalse(refused(new ClientRequest.Status(Optional.empty()), 2_000));
    assertTrue(refused(new ClientRequest.Status(Optional.empty()), 2_001));
    assertFalse(refused(new ClientRequest.Inspect(), 60_000));
  }
}
