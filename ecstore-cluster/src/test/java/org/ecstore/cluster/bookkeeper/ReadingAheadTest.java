package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.Test;

/** A reader that is behind finds what comes next read already; one at the end asks as before. */
class ReadingAheadTest {
  private static final int ENTRY = 1_000;
  private static final int PIECE = 10_000;

  /** Enough for what is read ahead to come. */
  private static final long SOON = 1_000;

  private final FakeCluster cluster = new FakeCluster();
  private FakeUser writer = cluster.process(1, BookKeeperSettings.DEFAULT);
  private final List<LedgerEntry> written = new ArrayList<>();

  private void append(int entries) {
    for (int i = 0; i < entries; i++) {
      long first = written.isEmpty() ? 1 : written.getLast().last().value() + 1;
      LedgerEntry entry = LedgerUser.filled(first, ENTRY);
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entry));
      written.add(entry);
    }
  }

  private static List<LedgerEntry> read(FakeUser reader, long from) {
    return assertInstanceOf(LedgerResult.Entries.class, reader.await(reader.beginRead(from, PIECE)))
        .entries();
  }

  private static long after(List<LedgerEntry> entries) {
    return entries.getLast().last().value() + 1;
  }

  @Test
  void whatComesNextIsThereWhenItIsAskedFor() {
    writer.fence();
    append(200);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    reader.fence();
    List<LedgerEntry> all = new ArrayList<>(read(reader, 1));
    reader.pass(SOON);
    int before = cluster.bookKeeper.reads();
    List<LedgerEntry> second = read(reader, after(all));
    assertEquals(before, cluster.bookKeeper.reads());
    all.addAll(second);
    while (all.size() < written.size()) {
      List<LedgerEntry> more = read(reader, after(all));
      assertTrue(more.size() <= 2 * PIECE / ENTRY, () -> more.size() + " entries at once");
      all.addAll(more);
    }
    assertEquals(written, all);
  }

  /** Both are at the same place, and ask one after the other. */
  @Test
  void anotherReaderOfTheProcessHasItToo() {
    writer.fence();
    append(200);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    reader.fence();
    long from = after(read(reader, 1));
    reader.pass(SOON);
    List<LedgerEntry> one = read(reader, from);
    int before = cluster.bookKeeper.reads();
    assertEquals(one, read(reader, from));
    assertEquals(before, cluster.bookKeeper.reads());
  }

  @Test
  void aReadWithinWhatIsOnItsWayGetsItsPart() {
    writer.fence();
    append(200);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    reader.fence();
    List<LedgerEntry> all = new ArrayList<>(read(reader, 1));
    List<LedgerEntry> atOnce = read(reader, after(all));
    assertTrue(atOnce.size() <= 2 * PIECE / ENTRY, () -> atOnce.size() + " entries at once");
    all.addAll(atOnce);
    assertEquals(written.subList(0, all.size()), all);
  }

  /** The look ahead began long before it, and finds its first entry by several slow reads. */
  @Test
  void aReadThatJoinsALookAheadHasTheTimeThatAReadMayTake() {
    long readMillis = BookKeeperSettings.DEFAULT.readMillis();
    writer.fence();
    append(200);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    reader.fence();
    List<LedgerEntry> all = new ArrayList<>(read(reader, 1));
    cluster.bookKeeper.entriesTake(TimeUnit.MILLISECONDS.toNanos(readMillis / 5));
    reader.pass(readMillis * 9 / 10);
    all.addAll(read(reader, after(all)));
    assertEquals(written.subList(0, all.size()), all);
  }

  @Test
  void looksAheadAreNoReadsOfThoseThatMayBeUnderWay() {
    BookKeeperSettings two = BookKeeperSettings.DEFAULT.withReadsOutstandingMax(2);
    writer.fence();
    append(400);
    FakeUser reader = cluster.process(2, two);
    reader.fence();
    // A look ahead begins behind each of them.
    read(reader, 1);
    read(reader, 201);
    long one = reader.beginRead(101, PIECE);
    long other = reader.beginRead(301, PIECE);
    assertInstanceOf(LedgerResult.Entries.class, reader.await(one));
    assertInstanceOf(LedgerResult.Entries.class, reader.await(other));
  }

  /** What was trimmed since is said to be, though it is held. */
  @Test
  void whatIsTrimmedIsNotHandedOver() {
    writer = cluster.process(3, BookKeeperSettings.DEFAULT.withSegmentBytes(20_000));
    writer.fence();
    append(200);
    long from = after(read(writer, 1));
    writer.pass(SOON);
    writer.trim(150);
    assertInstanceOf(LedgerResult.Trimmed.class, writer.await(writer.beginRead(from, PIECE)));
  }

  /** What is appended after a look ahead found nothing is found by the read that asks for it. */
  @Test
  void anEndThatWasSeenAheadIsNoAnswer() {
    writer.fence();
    append(50);
    FakeUser reader = cluster.process(2, BookKeeperSettings.DEFAULT);
    reader.fence();
    writer.tryFence();
    List<LedgerEntry> all = new ArrayList<>(reader.readAll(1));
    for (int i = 0; i < 100; i++) {
      append(1);
      reader.pass(i % 5);
      all.addAll(read(reader, after(all)));
      assertEquals(written, all);
    }
  }
}
