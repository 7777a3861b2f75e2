package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RoomWaitTest {
  private final RoomWait.Rounds rounds = new RoomWait.Rounds();
  private final RoomWait room = new RoomWait();

  @Test
  void nothingWaitsWhereThereIsRoom() {
    assertFalse(room.waits(false, rounds));
    rounds.ended();
    assertFalse(room.waits(false, rounds));
  }

  @Test
  void aWriteWaitsUntilThereIsRoom() {
    assertTrue(room.waits(true, rounds));
    assertTrue(room.waits(true, rounds));
    assertFalse(room.waits(false, rounds));
  }

  /** The first of them may have begun before the wait. */
  @Test
  void aWriteGoesOnWhereTwoRoundsOfFoldsHaveMadeNoRoom() {
    goesOnAfterTwoRounds();
  }

  /** One write for two rounds, and not all that come. */
  @Test
  void theNextWriteWaitsAnew() {
    goesOnAfterTwoRounds();
    goesOnAfterTwoRounds();
  }

  private void goesOnAfterTwoRounds() {
    assertTrue(room.waits(true, rounds));
    rounds.ended();
    assertTrue(room.waits(true, rounds));
    rounds.ended();
    assertFalse(room.waits(true, rounds));
  }

  @Test
  void aLaterWaitBeginsByItself() {
    assertTrue(room.waits(true, rounds));
    rounds.ended();
    assertFalse(room.waits(false, rounds));
    rounds.ended();
    goesOnAfterTwoRounds();
  }
}
