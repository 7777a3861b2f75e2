package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitSlotsTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final CommitSlots admission = new CommitSlots(10, 1_000);

  /** Whatever the clock's zero is. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, 4_611_686_018_400_000_000L})
  void asManyRunAsEndedWithinASecond(long zero) {
    admission.ended(zero);
    assertTrue(admission.admits(9, zero));
    assertFalse(admission.admits(10, zero));
    for (long i = 1; i < 500; i++) {
      admission.ended(zero + i * MILLI);
    }
    assertTrue(admission.admits(499, zero + 500 * MILLI));
    assertFalse(admission.admits(500, zero + 500 * MILLI));
    // Half a second later the first are forgotten, and a second later all.
    assertTrue(admission.admits(199, zero + 1_200 * MILLI));
    assertFalse(admission.admits(200, zero + 1_200 * MILLI));
    assertFalse(admission.admits(100, zero + 1_300 * MILLI));
  }

  /** A burst that meets a node that has done nothing yet: what it can do is not known. */
  @Test
  void atAStartNoMoreBeginThanAtLeast() {
    assertTrue(admission.admits(9, 0));
    assertFalse(admission.admits(10, 0));
    admission.ended(0);
    assertFalse(admission.admits(10, 3_600 * SECOND));
  }

  /** A take-over is a pause: many may wait for the next sequencer. */
  @Test
  void whileNoSequencerAnswersAsManyRunAsMayAtMost() {
    admission.away();
    assertTrue(admission.admits(999, 0));
    assertFalse(admission.admits(1_000, 0));
    admission.ended(0);
    assertFalse(admission.admits(10, 0));
    assertFalse(admission.admits(10, 3_600 * SECOND));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 5_000})
  void noMoreRunThanAtMost(int ended) {
    for (int i = 0; i < ended; i++) {
      admission.ended(0);
    }
    assertTrue(admission.admits(999, 0));
    assertFalse(admission.admits(1_000, 0));
  }

  /**
   * Twice as many come as can be done: what is taken in is done within about a second, and as many
   * are done as before.
   */
  @ParameterizedTest
  @ValueSource(ints = {20, 200})
  void whatIsTakenInIsDoneInTime(int perSlice) {
    Deque<Long> waiting = new ArrayDeque<>();
    int done = 0;
    long longest = 0;
    int slices = 200;
    for (long slice = 0; slice < slices; slice++) {
      long now = slice * 100 * MILLI;
      for (int i = 0; i < 2 * perSlice; i++) {
        if (admission.admits(waiting.size(), now)) {
          waiting.add(now);
        }
      }
      for (int i = 0; i < perSlice && !waiting.isEmpty(); i++) {
        longest = Math.max(longest, now - waiting.remove());
        admission.ended(now);
        done++;
      }
    }
    assertTrue(longest <= 1_100 * MILLI, "one waited " + longest);
    assertEquals(slices * perSlice, done, slices * perSlice / 20.0);
  }
}
