package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.junit.jupiter.api.Test;

/** What a read says of the end of the ledger is what this read has seen (rule 6). */
class EndOfAReadTest {
  private static final long MILLI = 1_000_000;

  private final FakeCluster cluster = new FakeCluster();
  private final FakeUser writer = cluster.process(1, BookKeeperSettings.DEFAULT);

  private void append(long position) {
    assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.filled(position, 60)));
  }

  private static void assertHandsOverWhatItHasSeen(LedgerResult.Entries read, long from) {
    assertTrue(
        read.entries().isEmpty()
            ? read.end().value() < from
            : read.entries().getLast().last().isAtOrBelow(read.end()),
        () -> "from " + from + ": " + read.entries().size() + " entries, end " + read.end());
  }

  /**
   * The bookies say at once that there is more, and take longer to hand it over than a look may.
   */
  @Test
  void whatBookiesSayIsThereIsWaitedForThoughItDoesNotComeSoon() {
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    writer.fence();
    append(1);
    assertEquals(1, reader.read(1).entries().size());
    for (int position = 2; position <= 9; position++) {
      append(position);
    }
    cluster.bookKeeper.entriesTake(2 * MILLI * BookKeeperSettings.DEFAULT.tailMillis());
    assertFalse(reader.read(2).entries().isEmpty());
  }

  /** The writer's process: it knows more than the read that was under way has looked for. */
  @Test
  void aReadUnderWayWhileTheSameProcessAppendsSaysNothingOfWhatItDidNotHandOver() {
    writer.fence();
    append(1);
    for (int position = 2; position <= 40; position++) {
      long read = writer.beginRead(position, 1000);
      append(position);
      assertHandsOverWhatItHasSeen(
          assertInstanceOf(LedgerResult.Entries.class, writer.await(read)), position);
    }
  }

  /** Another read of the process came further while this one looked. */
  @Test
  void aReadSaysNothingOfWhatAnotherOneHasSeenMeanwhile() {
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    writer.fence();
    append(1);
    for (int position = 2; position <= 40; position++) {
      long atTheEnd = reader.beginRead(position, 1000);
      reader.pass(position % 4);
      append(position);
      long behind = reader.beginRead(1, 1_000_000);
      assertHandsOverWhatItHasSeen(
          assertInstanceOf(LedgerResult.Entries.class, reader.await(behind)), 1);
      assertHandsOverWhatItHasSeen(
          assertInstanceOf(LedgerResult.Entries.class, reader.await(atTheEnd)), position);
    }
  }

  /** The read under way has looked at the end already when the entry is appended. */
  @Test
  void aReadThatBeginsAfterAnAppendSeesItThoughOneThatAsksTheSameHasLookedAlready() {
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    writer.fence();
    append(1);
    reader.pass(50);
    assertEquals(new Position(1), reader.read(1).end());
    for (int position = 2; position <= 200; position++) {
      long before = reader.beginRead(position, 1000);
      append(position);
      long after = reader.beginRead(position, 1000);
      LedgerResult.Entries seen = assertInstanceOf(LedgerResult.Entries.class, reader.await(after));
      assertEquals(1, seen.entries().size(), "position " + position);
      assertHandsOverWhatItHasSeen(
          assertInstanceOf(LedgerResult.Entries.class, reader.await(before)), position);
    }
  }
}
