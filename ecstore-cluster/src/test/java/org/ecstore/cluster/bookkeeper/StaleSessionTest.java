package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

/** Rule 6 where a node's sessions with ZooKeeper are behind those of the others. */
class StaleSessionTest {
  private final BookKeeperSettings small = BookKeeperSettings.DEFAULT.withSegmentBytes(100);
  private final FakeCluster cluster = new FakeCluster();
  private final List<LedgerEntry> written = new ArrayList<>();

  private void append(FakeUser writer, int entries) {
    for (int i = 0; i < entries; i++) {
      long first = written.isEmpty() ? 1 : written.getLast().last().value() + 1;
      LedgerEntry entry = LedgerUser.filled(first, 60);
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entry));
      written.add(entry);
    }
  }

  /**
   * The list names the segments, for a sync came before it was read; what the reader's session with
   * BookKeeper's metadata says of the first of them is older: open, nothing confirmed.
   */
  @Test
  void aSegmentThatIsNotTheLastIsNeverSkippedThoughItIsSeenAsOpen() {
    FakeUser writer = cluster.process(1, small);
    FakeUser reader = cluster.process(2, small);
    writer.fence();
    reader.behind();
    append(writer, 7);
    assertEquals(written, reader.readAll(1));
    for (int from = 1; from <= 7; from++) {
      assertEquals(written.get(from - 1), reader.read(from).entries().getFirst());
    }
  }

  /** The reader has followed the segment while it was open, and knows a part of it as confirmed. */
  @Test
  void theEndOfASegmentThatWasFollowedWhileItWasOpenIsNotSkipped() {
    FakeUser writer = cluster.process(1, BookKeeperSettings.DEFAULT);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    writer.fence();
    append(writer, 2);
    assertEquals(written, reader.readAll(1));
    reader.behind();
    append(writer, 2);
    FakeUser next = cluster.process(3, BookKeeperSettings.DEFAULT);
    assertEquals(new Position(4), next.fence().last());
    append(next, 2);
    FakeUser third = cluster.process(4, BookKeeperSettings.DEFAULT);
    assertEquals(new Position(6), third.fence().last());
    assertEquals(written.subList(2, 6), reader.readAll(3));
  }

  /** Two take-overs leave closed segments of which the third one's session has not heard. */
  @Test
  void aTakeOverWithSessionsThatAreBehindFindsTheFirstPositionAndTheLast() {
    FakeUser late = cluster.process(1, small);
    FakeUser writer = cluster.process(2, small);
    writer.fence();
    late.behind();
    append(writer, 5);
    FakeUser other = cluster.process(3, small);
    other.fence();
    append(other, 3);
    assertEquals(new LedgerResult.Fenced(new Position(1), new Position(8)), late.fence());
    assertEquals(written, late.readAll(1));
  }

  @Test
  void aReadAtTheEndSeesWhatWasAppendedInASegmentItsSessionHasNotHeardOf() {
    FakeUser writer = cluster.process(1, small);
    FakeUser reader = cluster.process(2, small);
    writer.fence();
    append(writer, 2);
    assertEquals(written, reader.readAll(1));
    reader.behind();
    append(writer, 2);
    assertEquals(written.subList(2, 4), reader.readAll(3));
  }

  @Test
  void aTrimByANodeThatIsBehindNamesTheFirstPositionThatIsKept() {
    FakeUser writer = cluster.process(1, small);
    FakeUser other = cluster.process(2, small);
    writer.fence();
    append(writer, 4);
    writer.pass(10);
    other.behind();
    append(writer, 5);
    Position first = other.trim(5).first();
    assertEquals(new Position(5), first);
    assertEquals(first, writer.read(first.value()).entries().getFirst().first());
    assertEquals(first, assertInstanceOf(LedgerResult.Trimmed.class, other.tryRead(1)).first());
  }

  /**
   * The answer to the change of the list is lost, and with it the session; the next one's server is
   * behind the change, and behind the version it was made against. What it shows is no proof that
   * the change was not made.
   */
  @Test
  void aListThatIsOlderThanTheOneThatWasReadSaysNothingOfAChange() {
    FakeUser old = cluster.process(1, small);
    old.fence();
    append(old, 5);
    FakeUser next = cluster.process(2, small);
    FakeSegmentList list = new FakeSegmentList(next.metadata);
    SegmentStore store = new SegmentStore(list, list.owner(cluster), 1_000);
    SegmentStore.Listed before = list.await(cluster, store.read());
    SegmentList with = before.list().with(new SegmentList.Segment(77, 5));
    list.answerIsLostAndTheNextReadIsOf(0);
    SegmentStore.Outcome outcome =
        list.await(cluster, store.replace(before, with, now -> now.contains(77), Long.MAX_VALUE));
    assertInstanceOf(SegmentStore.Done.class, outcome);
    assertTrue(outcome.now().list().contains(77));
  }

  /** As while ZooKeeper's servers choose a leader: a fence that gave up would begin much later. */
  @Test
  void aFenceGoesOnAsSoonAsItsSessionIsBack() {
    FakeUser old = cluster.process(1, small);
    old.fence();
    append(old, 3);
    FakeUser next = cluster.process(2, small);
    next.metadata.loseReads(20);
    assertEquals(new LedgerResult.Fenced(new Position(1), new Position(3)), next.fence());
    append(next, 2);
    assertEquals(written, next.readAll(1));
  }

  /** It has its time, as for all that it waits for. */
  @Test
  void aFenceWhoseSessionDoesNotComeBackFailsInTheEnd() {
    FakeUser next = cluster.process(2, small);
    next.metadata.loseReads(Integer.MAX_VALUE);
    LedgerResult.Failed failed = assertInstanceOf(LedgerResult.Failed.class, next.tryFence());
    assertTrue(failed.toString().contains("cannot become the writer"), failed::toString);
  }

  @Test
  void burntNumbersAreNoGap() {
    FakeUser writer = cluster.process(1, small);
    writer.fence();
    List<LedgerEntry> entries =
        List.of(burnt(5, 0), burnt(6, 5), burnt(100, 6), burnt(101, 100), burnt(200, 101));
    entries.forEach(entry -> assertInstanceOf(LedgerResult.Appended.class, writer.append(entry)));
    FakeUser reader = cluster.process(2, small);
    assertEquals(entries, reader.readAll(1));
    assertEquals(entries.subList(2, 5), reader.readAll(50));
  }

  private static LedgerEntry burnt(long first, long after) {
    return new LedgerEntry(
        new Position(first), List.of(Bytes.wrap(new byte[60])), new Position(after));
  }
}
