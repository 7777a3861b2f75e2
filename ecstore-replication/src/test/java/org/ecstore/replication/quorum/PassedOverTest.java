package org.ecstore.replication.quorum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.junit.jupiter.api.Test;

final class PassedOverTest {
  private static final RangeId RANGE = new RangeId(1);
  private static final NodeId NODE = new NodeId(2);

  private final PassedOver passedOver = new PassedOver();

  /** Starts near where the clock's numbers wrap around. */
  private long now = Long.MAX_VALUE - PassedOver.PAUSE_NANOS_MIN / 2;

  private boolean has() {
    return passedOver.has(RANGE, NODE, now);
  }

  /** For how long it is passed over from now on. */
  private long added() {
    passedOver.add(RANGE, NODE, now);
    assertTrue(has());
    long begun = now;
    while (has()) {
      now += PassedOver.PAUSE_NANOS_MIN;
    }
    return now - begun;
  }

  @Test
  void aCopyOfOneRangeIsPassedOverForAWhile() {
    assertFalse(has());
    assertEquals(PassedOver.PAUSE_NANOS_MIN, added());
    passedOver.add(RANGE, NODE, now);
    assertFalse(passedOver.has(new RangeId(3), NODE, now));
    assertFalse(passedOver.has(RANGE, new NodeId(3), now));
  }

  @Test
  void againWithinASecondIsForTwiceAsLongUpToASecond() {
    long expected = PassedOver.PAUSE_NANOS_MIN;
    for (int i = 0; i < 10; i++) {
      assertEquals(expected, added());
      now += PassedOver.PAUSE_NANOS_MAX - 1;
      expected = Math.min(PassedOver.PAUSE_NANOS_MAX, 2 * expected);
    }
    assertEquals(PassedOver.PAUSE_NANOS_MAX, expected);
  }

  @Test
  void laterItBeginsAnew() {
    added();
    assertEquals(2 * PassedOver.PAUSE_NANOS_MIN, added());
    now += PassedOver.PAUSE_NANOS_MAX;
    assertEquals(PassedOver.PAUSE_NANOS_MIN, added());
  }

  @Test
  void whatIsPassedOverIsSoNoLongerForBeingAddedAgain() {
    passedOver.add(RANGE, NODE, now);
    now += PassedOver.PAUSE_NANOS_MIN - 1;
    passedOver.add(RANGE, NODE, now);
    assertTrue(has());
    now += 1;
    assertFalse(has());
  }

  @Test
  void noMoreCopiesThanSoManyAreRemembered() {
    passedOver.add(RANGE, NODE, now);
    for (int i = 10; i < 10_010; i++) {
      passedOver.add(new RangeId(i), NODE, now);
    }
    assertFalse(has());
    assertTrue(passedOver.has(new RangeId(10_009), NODE, now));
  }
}
