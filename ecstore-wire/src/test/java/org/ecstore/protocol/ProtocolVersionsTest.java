package org.ecstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProtocolVersionsTest {
  private static Optional<Integer> common(int lowest, int highest, int otherLowest, int other) {
    ProtocolVersions one = new ProtocolVersions(lowest, highest);
    ProtocolVersions two = new ProtocolVersions(otherLowest, other);
    assertEquals(one.highestCommon(two), two.highestCommon(one));
    return one.highestCommon(two);
  }

  @Test
  void theHighestVersionThatBothSpeakIsTaken() {
    assertEquals(Optional.of(1), common(1, 1, 1, 1));
    assertEquals(Optional.of(1), common(1, 1, 1, 2));
    assertEquals(Optional.of(3), common(1, 3, 2, 5));
    assertEquals(Optional.of(4), common(1, 5, 2, 4));
    assertEquals(Optional.empty(), common(1, 1, 2, 2));
    assertEquals(Optional.empty(), common(1, 2, 3, 9));
  }

  @Test
  void anIntervalUpsideDownHasNothingInCommon() {
    assertEquals(
        Optional.empty(), ProtocolVersions.SPOKEN.highestCommon(new ProtocolVersions(3, 1)));
    assertEquals(
        Optional.empty(),
        ProtocolVersions.SPOKEN.highestCommon(
            new ProtocolVersions(Integer.MAX_VALUE, Integer.MIN_VALUE)));
  }

  @Test
  void aRefusalNamesBothIntervals() {
    assertEquals(
        "this node speaks protocol version 1, the client versions 2 to 4",
        new ProtocolVersions(1, 1).refusalOf(new ProtocolVersions(2, 4)));
  }

  @Test
  void versionsOfAnIntervalAreInIt() {
    ProtocolVersions versions = new ProtocolVersions(2, 3);
    assertTrue(versions.contains(2) && versions.contains(3));
    assertFalse(versions.contains(1) || versions.contains(4));
  }
}
