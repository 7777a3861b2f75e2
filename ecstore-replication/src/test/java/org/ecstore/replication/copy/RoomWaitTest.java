package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RoomWaitTest {
  private final RoomWait.Passes passes = new RoomWait.Passes();
  private final RoomWait room = new RoomWait(passes);

  @Test
  void nothingWaitsWhereThereIsRoom() {
    assertFalse(room.waits(false));
    passes.ended();
    assertFalse(room.waits(false));
  }

  @Test
  void aWriteWaitsUntilThereIsRoom() {
    assertTrue(room.waits(true));
    assertTrue(room.waits(true));
    assertFalse(room.waits(false));
  }

  /** The first of them may have begun before the wait. */
  @Test
  void aWriteGoesOnWhereTwoPassesOfFoldsHaveMadeNoRoom() {
    goesOnAfterTwoPasses();
  }

  /** One write for two passes, and not all that come. */
  @Test
  void theNextWriteWaitsAnew() {
    goesOnAfterTwoPasses();
    goesOnAfterTwoPasses();
  }

  private void goesOnAfterTwoPasses() {
    assertTrue(room.waits(true));
    passes.ended();
    assertTrue(room.waits(true));
    passes.ended();
    assertFalse(room.waits(true));
  }

  @Test
  void aLaterWaitBeginsByItself() {
    assertTrue(room.waits(true));
    passes.ended();
    assertFalse(room.waits(false));
    passes.ended();
    goesOnAfterTwoPasses();
  }
}
