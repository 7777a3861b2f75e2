package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.Test;

/**
 * What a read of the ledger holds in memory: an entry may have megabytes, and the mean of a segment
 * says nothing of a run of them among thousands of small ones.
 */
class LongEntriesTest {
  private static final int SHORT = 10;
  private static final int LONG = 400_000;

  private final FakeCluster cluster = new FakeCluster();
  private final FakeUser writer = cluster.process(1, BookKeeperSettings.DEFAULT);
  private final List<LedgerEntry> written = new ArrayList<>();

  private void append(int entries, int bytes) {
    for (int i = 0; i < entries; i++) {
      long first = written.isEmpty() ? 1 : written.getLast().last().value() + 1;
      LedgerEntry entry = LedgerUser.filled(first, bytes);
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entry));
      written.add(entry);
    }
  }

  private void assertReadWithin(FakeUser reader, long bytes) {
    assertEquals(written, reader.readAll(1));
    long most = cluster.bookKeeper.longestRead();
    assertTrue(most <= bytes, () -> most + " bytes at once");
  }

  @Test
  void longEntriesBehindManyShortOnesAreReadAFewAtATime() {
    writer.fence();
    append(600, SHORT);
    append(60, LONG);
    FakeUser next = cluster.process(2, BookKeeperSettings.DEFAULT);
    next.fence();
    assertReadWithin(next, 5L * LONG);
  }

  private static LedgerResult.Entries read(FakeUser reader) {
    return assertInstanceOf(
        LedgerResult.Entries.class, reader.await(reader.beginRead(1, 1_000_000)));
  }

  /** One look how long the next ones are, and the read itself: what was read before is known. */
  @Test
  void aReaderThatCatchesUpAsksTwiceForEachRead() {
    writer.fence();
    append(1_500, SHORT);
    FakeUser next = cluster.process(2, BookKeeperSettings.DEFAULT);
    next.fence();
    // The first time it also has to find out where the position is.
    assertEquals(1_500, read(next).entries().size());
    int before = cluster.bookKeeper.reads();
    assertEquals(1_500, read(next).entries().size());
    // No more than 512 entries at once.
    assertEquals(3 * 2, cluster.bookKeeper.reads() - before);
  }

  /** A follower that lags behind a writer of long entries looks how far they are confirmed. */
  @Test
  void aLookForWhatIsConfirmedDoesNotReadAllOfIt() {
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    writer.fence();
    append(3, SHORT);
    assertEquals(written, reader.readAll(1));
    append(60, LONG);
    assertReadWithin(reader, 5L * LONG);
  }
}
