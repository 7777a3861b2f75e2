package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentReads;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.Test;

/** A bug on the thread that owns the ledger ends the node, which has an answer to all it began. */
class LedgerBugTest {
  private static final BookKeeperSettings SETTINGS = BookKeeperSettings.DEFAULT;

  private final FakeCluster cluster = new FakeCluster();

  /** Where a class is missing, as if its file had been replaced. */
  private enum Place {
    NOWHERE,
    APPENDED,
    READ
  }

  /** Reads that meet a bug where they are told to, and another one as they are closed. */
  private static final class MissingClass extends LedgerParts {
    private Place at = Place.NOWHERE;

    @Override
    SegmentReads reads(
        Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
      return new SegmentReads(owner, bookies, store, settings) {
        @Override
        public void appended(long ledger, long entry, long position) {
          meet(Place.APPENDED);
          super.appended(ledger, entry, position);
        }

        @Override
        public long said(long seen) {
          meet(Place.READ);
          return super.said(seen);
        }

        @Override
        public void close() {
          meet(at);
          super.close();
        }
      };
    }

    private void meet(Place place) {
      if (place == at && at != Place.NOWHERE) {
        throw new NoClassDefFoundError("org/example/" + place);
      }
    }
  }

  private static void assertEnds(FakeUser user) {
    assertEquals(1, user.failures().size(), user.failures()::toString);
    assertTrue(user.failures().getFirst().detail().contains("NoClassDefFoundError"));
  }

  @Test
  void whatWasAppendedHasAnAnswerThoughTheCloseFailsToo() {
    MissingClass parts = new MissingClass();
    FakeUser writer = cluster.process(1, SETTINGS, parts);
    writer.fence();
    parts.at = Place.APPENDED;
    long first = writer.beginAppend(LedgerUser.entry(1, "first"));
    long second = writer.beginAppend(LedgerUser.entry(2, "second"));
    assertInstanceOf(LedgerResult.Appended.class, writer.await(first));
    assertInstanceOf(LedgerResult.AppendUnknown.class, writer.await(second));
    assertTrue(writer.ledger.isLost(), "it must not go on leading");
    writer.pass(1);
    assertEnds(writer);
  }

  @Test
  void errorInTheMidstOfAReadEndsTheNode() {
    MissingClass parts = new MissingClass();
    FakeUser reader = cluster.process(1, SETTINGS, parts);
    parts.at = Place.READ;
    assertInstanceOf(LedgerResult.Failed.class, reader.tryRead(1));
    reader.pass(1);
    assertEnds(reader);
    assertInstanceOf(LedgerResult.Failed.class, reader.tryFence());
    reader.pass(10_000);
    assertEnds(reader);
  }

  @Test
  void nodeThatBeginsWithABrokenLedgerEndsToo() {
    MissingClass parts = new MissingClass();
    FakeUser reader = cluster.process(1, SETTINGS, parts);
    parts.at = Place.READ;
    assertInstanceOf(LedgerResult.Failed.class, reader.tryRead(1));
    reader.pass(1);
    List<Event> heard = reader.another(2);
    reader.pass(1);
    assertInstanceOf(Event.PartFailed.class, heard.getFirst());
  }
}
