package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ecstore.key.Tuple;
import org.ecstore.verify.check.Anomaly;
import org.junit.jupiter.api.Test;

/** What reads by quorums must not show of a key that one writer counts up. */
class QuorumClientsTest {
  private final QuorumClients.Register register = new QuorumClients.Register(Tuple.of(1L, -2L));

  private List<String> found() {
    return register.check().stream().map(Anomaly::kind).toList();
  }

  /** Writes 1 from 10 to 20 and 2 from 30 to 40. */
  private void writeTwice() {
    register.began(1, 10);
    register.reached(1, 10, 20);
    register.began(2, 30);
    register.reached(2, 30, 40);
  }

  @Test
  void readsMaySeeWhatIsBeingWrittenOrNot() {
    writeTwice();
    register.read(0, 5, 15);
    register.read(1, 12, 14);
    register.read(1, 25, 35);
    register.read(2, 36, 38);
    register.read(2, 45, 50);
    assertEquals(List.of(), found());
  }

  @Test
  void readOfLessThanWasOnAQuorumBeforeIsFound() {
    writeTwice();
    register.read(1, 41, 50);
    assertEquals(List.of("stale-quorum-read"), found());
  }

  /** It may miss what others wrote, but never returns what was not written yet. */
  @Test
  void readThatSaysSoMayBeOldButNotMadeUp() {
    writeTwice();
    register.readUnconfirmed(1, 41, 50);
    assertEquals(List.of(), found());
    register.readUnconfirmed(2, 5, 15);
    assertEquals(List.of("garbage-quorum-read"), found());
  }

  @Test
  void writeThatIsUnderReplicatedMayBeMissed() {
    register.began(1, 10);
    register.read(0, 50, 60);
    assertEquals(List.of(), found());
  }

  @Test
  void readThatGoesBackIsFoundAlsoIfNoWriteWasAcknowledged() {
    register.began(1, 10);
    register.read(1, 20, 30);
    register.read(0, 25, 35);
    assertEquals(List.of(), found(), "one overlaps the other");
    register.read(0, 31, 40);
    assertEquals(List.of("quorum-read-goes-back"), found());
  }

  @Test
  void valueThatNoClientWroteYetIsFound() {
    register.began(1, 10);
    register.read(1, 5, 9);
    assertEquals(List.of("garbage-quorum-read"), found());
  }
}
