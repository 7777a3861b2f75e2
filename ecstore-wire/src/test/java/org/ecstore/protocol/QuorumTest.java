package org.ecstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.junit.jupiter.api.Test;

/** Which quorums there are, and which meet (rule 13). */
final class QuorumTest {
  @Test
  void senselessQuorumsSayWhy() {
    assertEquals(Optional.empty(), new Quorum(3, 2, 1).wrong());
    assertTrue(new Quorum(3, 4, 1).wrong().orElseThrow().contains("W is from 1 to N = 3, not 4"));
    assertTrue(new Quorum(3, 1, 0).wrong().orElseThrow().contains("R is from 1 to N = 3, not 0"));
    assertTrue(new Quorum(0, 0, 0).wrong().orElseThrow().contains("N is from 1"));
    assertThrows(WrongArgumentException.class, () -> Quorum.of(3, 4, 1));
  }

  /** A request with senseless numbers arrives, so that it can be refused with the reason. */
  @Test
  void senselessQuorumsTravel() {
    ClientRequest request =
        new ClientRequest.QuorumGet(Bytes.EMPTY, new Quorum(0, 9, 9), ReadPoint.ZERO, 1);
    assertEquals(
        request, ClientCodec.decodeRequest(ClientCodec.encodeRequest(1, request)).request());
  }

  @Test
  void quorumsThatMeetAreStrict() {
    assertTrue(Quorum.of(3, 2, 2).isStrict());
    assertTrue(Quorum.of(3, 3, 1).isStrict());
    assertFalse(Quorum.of(3, 2, 1).isStrict());
  }
}
