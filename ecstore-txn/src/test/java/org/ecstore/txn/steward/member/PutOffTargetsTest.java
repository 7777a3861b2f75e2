package org.ecstore.txn.steward.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;

/** For how long a node that took no copy is not asked for one. */
class PutOffTargetsTest {
  private static final NodeId FULL = new NodeId(1);
  private static final NodeId OTHER = new NodeId(2);
  private static final List<NodeId> MEMBERS = List.of(FULL, OTHER);
  private static final long SECOND = 1_000_000_000L;

  private final PutOffTargets targets = new PutOffTargets();
  private long now = -SECOND;

  private boolean isPutOff(long incarnation) {
    return targets.isPutOff(FULL, Optional.of(incarnation), now);
  }

  /** It is asked as soon as it may be, takes nothing, and is put off for so many seconds. */
  private long secondsUntilItMayBeAskedAgain(long incarnation) {
    targets.tookNone(FULL, incarnation, MEMBERS, now);
    long since = now;
    while (isPutOff(incarnation)) {
      now += SECOND;
    }
    return (now - since) / SECOND;
  }

  @Test
  void twiceAsLongEachTimeUpToSomeMinutes() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      seconds.add(secondsUntilItMayBeAskedAgain(1));
    }
    assertEquals(List.of(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 256L, 256L), seconds);
  }

  @Test
  void notOnceItHasTakenACopyHasRestartedOrAnotherNodeLeads() {
    secondsUntilItMayBeAskedAgain(1);
    targets.tookNone(FULL, 1, MEMBERS, now);
    assertTrue(isPutOff(1));
    assertFalse(isPutOff(2), "it is there anew");
    assertFalse(targets.isPutOff(FULL, Optional.empty(), now), "it is not there");
    assertFalse(targets.isPutOff(OTHER, Optional.of(1L), now));
    assertEquals(2, secondsUntilItMayBeAskedAgain(2));

    targets.tookOne(FULL);
    assertEquals(2, secondsUntilItMayBeAskedAgain(2));

    targets.tookNone(FULL, 2, MEMBERS, now);
    targets.clear();
    assertFalse(isPutOff(2));
    assertEquals(2, secondsUntilItMayBeAskedAgain(2));
  }
}
