package org.ecstore.replication.load;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LoadTriggerTest {
  private final LoadTrigger trigger = new LoadTrigger(100, 2);

  @Test
  void belowTheUnitNothingHappens() {
    assertFalse(trigger.crosses(0));
    assertFalse(trigger.crosses(99.9));
  }

  @Test
  void eachLevelStartsOneRound() {
    assertTrue(trigger.crosses(100));
    assertFalse(trigger.crosses(150));
    assertTrue(trigger.crosses(200));
    assertFalse(trigger.crosses(399));
    assertTrue(trigger.crosses(400));
  }

  @Test
  void severalLevelsAtOnceStartOneRound() {
    assertTrue(trigger.crosses(1700));
    assertFalse(trigger.crosses(1700));
    assertTrue(trigger.crosses(3200));
  }

  @Test
  void swayingAboutALevelStartsOneRound() {
    assertTrue(trigger.crosses(410));
    for (int i = 0; i < 10; i++) {
      assertFalse(trigger.crosses(390));
      assertFalse(trigger.crosses(410));
    }
  }

  @Test
  void afterItHasFallenALoadThatRisesStartsARoundAgain() {
    assertTrue(trigger.crosses(800));
    assertFalse(trigger.crosses(50));
    assertTrue(trigger.crosses(800));
  }

  @Test
  void aLowerFirstLevelStartsARoundAgain() {
    assertFalse(trigger.crosses(90));
    trigger.startAt(25);
    assertTrue(trigger.crosses(90));
    assertFalse(trigger.crosses(90));
    assertTrue(trigger.crosses(110));
  }

  @Test
  void aHigherFirstLevelStartsNone() {
    trigger.startAt(25);
    assertTrue(trigger.crosses(230));
    trigger.startAt(100);
    assertFalse(trigger.crosses(230));
    assertTrue(trigger.crosses(400));
  }

  @Test
  void levelsThatDoNotGrowAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LoadTrigger(100, 1));
    assertThrows(IllegalArgumentException.class, () -> new LoadTrigger(0, 2));
    assertThrows(IllegalArgumentException.class, () -> new LoadTrigger(Double.NaN, 2));
  }
}
