package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Ledger} must do while nothing fails but its users (rules 6 and 7). */
public abstract class LedgerContractTest {
  /** One ledger shared by several nodes. */
  public interface Fixture {
    /**
     * A node's handle, not the writer yet. Its events reach the sink only from within {@link
     * #awaitEvent}, on the thread that calls it.
     */
    Ledger handle(NodeId node, Consumer<Event> sink);

    /** Goes on until at least one more event has reached a sink; throws if none comes. */
    void awaitEvent();

    /** Lets time pass before a call that failed is made again. */
    default void pause() {}

    /**
     * Ends all nodes as a crash of the whole process would, and opens the ledger again with what
     * was durable. Earlier handles are dead: events for them reach no node.
     */
    void reopen();

    /** Ends everything. */
    void close();
  }

  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);

  private Fixture fixture;

  /** An empty ledger. What can be trimmed must be trimmed in pieces of at most 16 KiB. */
  protected abstract Fixture newLedger();

  @BeforeEach
  void openLedger() {
    fixture = newLedger();
  }

  @AfterEach
  void closeLedger() {
    fixture.close();
  }

  @Test
  void fenceOfAnEmptyLedgerSaysSo() {
    LedgerResult.Fenced fenced = new User(A).fence();
    assertEquals(Position.ZERO, fenced.last());
    assertTrue(fenced.first().isAfter(fenced.last()), "the first kept is past the last");
    LedgerResult.Entries read = new User(B).read(1, 1000);
    assertEquals(List.of(), read.entries());
    assertEquals(Position.ZERO, read.end());
  }

  @Test
  void whatWasAppendedIsReadInOrderByAnyNode() {
    User writer = new User(A);
    writer.fence();
    List<LedgerEntry> entries = List.of(entry(1, 3), entry(4, 1), entry(5, 2));
    for (LedgerEntry entry : entries) {
      assertEquals(new LedgerResult.Appended(entry.last()), writer.append(entry));
    }
    for (NodeId node : List.of(A, B)) {
      LedgerResult.Entries read = new User(node).read(1, 1 << 20);
      assertEquals(entries, read.entries());
      assertEquals(new Position(6), read.end());
    }
    LedgerResult.Fenced next = new User(B).fence();
    assertEquals(new LedgerResult.Fenced(new Position(1), new Position(6)), next);
  }

  @Test
  void recordsOfAnyLengthComeBackAsTheyWere() {
    User writer = new User(A);
    writer.fence();
    LedgerEntry entry =
        new LedgerEntry(
            new Position(1),
            List.of(Bytes.EMPTY, filled(1 << 20, 7), Bytes.of(0), Bytes.EMPTY, filled(70_000, 9)));
    assertInstanceOf(LedgerResult.Appended.class, writer.append(entry));
    LedgerEntry after = entry(6, 1);
    assertInstanceOf(LedgerResult.Appended.class, writer.append(after));
    fixture.reopen();
    assertEquals(List.of(entry, after), new User(A).readAll(1));
  }

  @Test
  void appendsCompleteInOrder() {
    User writer = new User(A);
    writer.fence();
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      tokens.add(writer.beginAppend(entry(1 + 2L * i, 2)));
    }
    for (int i = 0; i < 200; i++) {
      LedgerResult result = writer.await(tokens.get(i));
      assertEquals(new LedgerResult.Appended(new Position(2 + 2L * i)), result);
    }
    assertEquals(tokens, writer.completed.subList(1, writer.completed.size()));
  }

  @Test
  void whatIsAppendedIsDurable() {
    long acknowledged = 0;
    for (int round = 0; round < 5; round++) {
      User writer = new User(A);
      assertTrue(writer.fence().last().value() >= acknowledged);
      long first = writer.fence().last().value() + 1;
      List<Long> tokens = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        tokens.add(writer.beginAppend(entry(first + i, 1)));
      }
      int awaited = 1 + 4 * round;
      assertInstanceOf(LedgerResult.Appended.class, writer.await(tokens.get(awaited - 1)));
      acknowledged = first + awaited - 1;
      fixture.reopen();
      List<LedgerEntry> kept = new User(A).readAll(1);
      for (int i = 0; i < acknowledged; i++) {
        assertEquals(entry(i + 1, 1), kept.get(i), "round " + round);
      }
    }
  }

  @Test
  void readsSeeOnlyWhatIsDurable() {
    User writer = new User(A);
    writer.fence();
    User reader = new User(B);
    List<Long> reads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      writer.beginAppend(entry(1 + i, 1));
      reads.add(reader.begin(token -> reader.ledger.read(token, new Position(1), 1 << 20)));
    }
    LedgerResult.Entries seen = new LedgerResult.Entries(List.of(), Position.ZERO);
    for (long token : reads) {
      seen = assertInstanceOf(LedgerResult.Entries.class, reader.await(token));
      assertEquals(seen.end().value(), seen.entries().size());
    }
    fixture.reopen();
    List<LedgerEntry> kept = new User(A).readAll(1);
    assertTrue(kept.size() >= seen.entries().size());
    assertEquals(seen.entries(), kept.subList(0, seen.entries().size()));
  }

  @Test
  void anAppendedEntryIsSeenByReadsThatBeginAfterwards() {
    User writer = new User(A);
    writer.fence();
    User reader = new User(B);
    for (int i = 1; i <= 20; i++) {
      writer.append(entry(i, 1));
      assertEquals(List.of(entry(i, 1)), reader.read(i, 1000).entries());
    }
  }

  /** Of the same process and of another, while appends are under way and behind them. */
  @Test
  void aReadSaysOfTheEndWhatItHasSeenItself() {
    User writer = new User(A);
    writer.fence();
    List<User> readers = List.of(writer, new User(B));
    List<Runnable> checks = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      long from = i;
      long append = writer.beginAppend(entry(i, 1));
      readers.forEach(reader -> checks.add(reader.beginChecked(from, 1000)));
      readers.forEach(reader -> checks.add(reader.beginChecked(1, 200)));
      if (i % 3 == 0) {
        writer.await(append);
        readers.forEach(reader -> checks.add(reader.beginChecked(from, 1000)));
        readers.forEach(reader -> checks.add(reader.beginChecked(from + 1, 1000)));
      }
    }
    checks.forEach(Runnable::run);
  }

  @Test
  void aReadIsNotAnsweredByOneThatLookedBeforeTheAppend() {
    User writer = new User(A);
    writer.fence();
    User reader = new User(B);
    for (int i = 1; i <= 40; i++) {
      long from = i;
      Runnable before = reader.beginChecked(from, 1000);
      writer.append(entry(i, 1));
      long after = reader.begin(token -> reader.ledger.read(token, new Position(from), 1000));
      assertEquals(
          List.of(entry(i, 1)),
          assertInstanceOf(LedgerResult.Entries.class, reader.await(after)).entries());
      before.run();
    }
  }

  @Test
  void readFromTheMiddleOfAnEntryGivesThatEntry() {
    User writer = new User(A);
    writer.fence();
    writer.append(entry(1, 2));
    writer.append(entry(3, 5));
    writer.append(entry(8, 1));
    for (int from = 3; from <= 7; from++) {
      assertEquals(List.of(entry(3, 5), entry(8, 1)), writer.read(from, 1 << 20).entries());
    }
  }

  @Test
  void readsAreBoundedByBytesButGiveAtLeastOneEntry() {
    User writer = new User(A);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      entries.add(new LedgerEntry(new Position(1 + i), List.of(filled(1000, i))));
      writer.append(entries.get(i));
    }
    assertEquals(entries.subList(4, 5), writer.read(5, 1).entries());
    List<LedgerEntry> some = writer.read(5, 5000).entries();
    assertTrue(!some.isEmpty() && some.size() <= 6, "entries of 1000 bytes: " + some.size());
    assertEquals(entries.subList(4, 4 + some.size()), some);
    assertEquals(entries, writer.readAll(1));
  }

  @Test
  void readPastTheEndIsEmpty() {
    User writer = new User(A);
    writer.fence();
    writer.append(entry(1, 3));
    for (long from : new long[] {4, 5, 1000}) {
      LedgerResult.Entries read = writer.read(from, 1000);
      assertEquals(List.of(), read.entries());
      assertEquals(new Position(3), read.end());
    }
  }

  @Test
  void positionsMayBeBurnt() {
    User writer = new User(A);
    writer.fence();
    List<LedgerEntry> entries = List.of(burnt(5, 2, 0), entry(7, 1), burnt(100, 2, 7));
    for (LedgerEntry entry : entries) {
      assertEquals(new LedgerResult.Appended(entry.last()), writer.append(entry));
    }
    assertEquals(entries, writer.readAll(0));
    assertEquals(entries, writer.readAll(1));
    assertEquals(entries.subList(2, 3), writer.readAll(8));
    assertEquals(entries.subList(2, 3), writer.readAll(99));
    fixture.reopen();
    User next = new User(B);
    assertEquals(new LedgerResult.Fenced(new Position(5), new Position(101)), next.fence());
    assertEquals(entries.subList(2, 3), next.readAll(50));
    assertInstanceOf(LedgerResult.Appended.class, next.append(burnt(200, 1, 101)));
  }

  /** By this who reads sees that nothing is missing (rule 6). */
  @Test
  void everyEntrySaysWhatItFollows() {
    User writer = new User(A);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    long last = 0;
    for (int i = 0; i < 60; i++) {
      LedgerEntry entry =
          new LedgerEntry(
              new Position(last + 1 + i % 3),
              List.of(filled(900, i), filled(100, i)),
              new Position(last));
      entries.add(entry);
      last = entry.last().value();
      writer.append(entry);
    }
    assertEquals(entries, writer.readAll(1));
    fixture.reopen();
    User next = new User(B);
    assertEquals(entries, next.readAll(1));
    for (int i = 0; i < entries.size(); i++) {
      long first = entries.get(i).first().value();
      assertEquals(entries.get(i), next.read(first, 1).entries().getFirst());
      assertEquals(entries.get(i), next.read(first + 1, 1).entries().getFirst());
    }
  }

  @Test
  void anEntryThatDoesNotFollowTheLastOneIsRefused() {
    User writer = new User(A);
    writer.fence();
    writer.append(entry(1, 3));
    assertThrows(Check.Failed.class, () -> writer.beginAppend(entry(5, 1)));
    assertThrows(Check.Failed.class, () -> writer.beginAppend(burnt(5, 1, 2)));
    assertInstanceOf(LedgerResult.Appended.class, writer.append(burnt(5, 1, 3)));
    User next = new User(B);
    next.fence();
    assertThrows(Check.Failed.class, () -> next.beginAppend(entry(7, 1)));
    assertInstanceOf(LedgerResult.Appended.class, next.append(entry(6, 1)));
  }

  @Test
  void aPositionNotAboveIsRefused() {
    User writer = new User(A);
    writer.fence();
    writer.append(entry(1, 3));
    for (long first : new long[] {1, 2, 3}) {
      assertThrows(Check.Failed.class, () -> writer.beginAppend(entry(first, 4)));
    }
    User next = new User(B);
    next.fence();
    assertThrows(Check.Failed.class, () -> next.beginAppend(entry(3, 1)));
    assertInstanceOf(LedgerResult.Appended.class, next.append(entry(4, 1)));
    assertEquals(List.of(entry(1, 3), entry(4, 1)), next.readAll(1));
  }

  @Test
  void onlyAWriterAppends() {
    User stranger = new User(A);
    assertNotAppended(stranger.append(entry(1, 1)));
    assertEquals(List.of(), stranger.readAll(1));
    stranger.fence();
    assertInstanceOf(LedgerResult.Appended.class, stranger.append(entry(1, 1)));
  }

  @Test
  void aFencedWriterAppendsNothing() {
    User old = new User(A);
    old.fence();
    old.append(entry(1, 1));
    User next = new User(B);
    assertEquals(new Position(1), next.fence().last());
    assertInstanceOf(LedgerResult.AppendUnknown.class, old.append(entry(2, 7)));
    assertInstanceOf(LedgerResult.Appended.class, next.append(entry(2, 1)));
    assertNotAppended(old.append(entry(9, 1)));
    assertEquals(List.of(entry(1, 1), entry(2, 1)), next.readAll(1));
    assertEquals(new Position(2), old.fence().last());
    assertInstanceOf(LedgerResult.Appended.class, old.append(entry(3, 1)));
    assertInstanceOf(LedgerResult.AppendUnknown.class, next.append(entry(3, 2)));
    assertEquals(List.of(entry(1, 1), entry(2, 1), entry(3, 1)), next.readAll(1));
  }

  @Test
  void anAppendInFlightIsThereBeforeTheNextWriterIsFencedInOrNever() {
    User old = new User(A);
    User next = new User(B);
    for (int round = 0; round < 20; round++) {
      long first = old.fence().last().value() + 1;
      Map<Long, LedgerEntry> inFlight = new LinkedHashMap<>();
      for (int i = 0; i < round; i++) {
        LedgerEntry entry = new LedgerEntry(new Position(first + i), List.of(Bytes.utf8("old")));
        inFlight.put(old.beginAppend(entry), entry);
      }
      long fence = next.begin(next.ledger::fence);
      for (int i = round; i < round + 5; i++) {
        LedgerEntry entry = new LedgerEntry(new Position(first + i), List.of(Bytes.utf8("late")));
        inFlight.put(old.beginAppend(entry), entry);
      }
      Position end = assertInstanceOf(LedgerResult.Fenced.class, next.await(fence)).last();
      List<LedgerEntry> before = next.readAll(first);
      LedgerEntry own = new LedgerEntry(end.next(), List.of(Bytes.utf8("new")));
      assertInstanceOf(LedgerResult.Appended.class, next.append(own));
      inFlight.forEach(
          (token, entry) -> {
            LedgerResult result = old.await(token);
            boolean there = before.contains(entry);
            if (result instanceof LedgerResult.Appended) {
              assertTrue(there, "acknowledged and lost: " + entry);
            } else {
              assertInstanceOf(LedgerResult.AppendUnknown.class, result);
            }
          });
      List<LedgerEntry> expected = new ArrayList<>(before);
      expected.add(own);
      assertEquals(expected, next.readAll(first), "round " + round);
      assertTrue(before.stream().allMatch(entry -> entry.last().isAtOrBelow(end)));
    }
  }

  /** It may have happened by then; whichever it was, the ledger goes on. */
  @Test
  void aFenceThatIsCalledOffHasOneResult() {
    User old = new User(A);
    old.fence();
    assertInstanceOf(LedgerResult.Appended.class, old.append(entry(1, 1)));
    User fencer = new User(B);
    long called = fencer.begin(fencer.ledger::fence);
    fencer.ledger.cancel(called);
    LedgerResult result = fencer.await(called);
    if (result instanceof LedgerResult.Fenced fenced) {
      assertEquals(new Position(1), fenced.last());
    } else {
      assertInstanceOf(LedgerResult.Failed.class, result);
      assertNotAppended(fencer.append(entry(2, 1)));
    }
    fencer.ledger.cancel(called);
    assertEquals(new Position(1), fencer.fence().last());
    assertInstanceOf(LedgerResult.Appended.class, fencer.append(entry(2, 1)));
    assertEquals(List.of(entry(1, 1), entry(2, 1)), fencer.readAll(1));
  }

  @Test
  void aWriterMayFenceItself() {
    User writer = new User(A);
    writer.fence();
    writer.beginAppend(entry(1, 1));
    writer.beginAppend(entry(2, 1));
    assertEquals(new Position(2), writer.fence().last());
    assertInstanceOf(LedgerResult.Appended.class, writer.append(entry(3, 1)));
    assertEquals(List.of(entry(1, 1), entry(2, 1), entry(3, 1)), writer.readAll(1));
  }

  @Test
  void trimForgetsOnlyWholeEntriesBelow() {
    User writer = new User(A);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      LedgerEntry entry =
          new LedgerEntry(new Position(1 + 2L * i), List.of(filled(500, i), filled(500, i + 1)));
      entries.add(entry);
      writer.append(entry);
    }
    Position first = writer.trim(100).first();
    assertTrue(first.isAfter(new Position(1)), "something was trimmed");
    assertTrue(first.isAtOrBelow(new Position(99)), "the entry that holds position 100 is kept");
    List<LedgerEntry> kept = writer.readAll(first.value());
    assertEquals(entries.subList(entries.size() - kept.size(), entries.size()), kept);
    assertEquals(first, kept.getFirst().first());
    LedgerResult.Trimmed trimmed =
        assertInstanceOf(LedgerResult.Trimmed.class, writer.tryRead(first.value() - 1, 1000));
    assertEquals(first, trimmed.first());
    assertInstanceOf(LedgerResult.Trimmed.class, writer.tryRead(1, 1000));
    fixture.reopen();
    User next = new User(B);
    assertEquals(new LedgerResult.Fenced(first, new Position(200)), next.fence());
    assertEquals(kept, next.readAll(first.value()));
    assertInstanceOf(LedgerResult.Trimmed.class, next.tryRead(first.value() - 1, 1000));
    assertInstanceOf(LedgerResult.Appended.class, next.append(entry(201, 1)));
  }

  @Test
  void trimKeepsTheEntryThatHoldsThePosition() {
    User writer = new User(A);
    writer.fence();
    for (int i = 0; i < 100; i++) {
      writer.append(
          new LedgerEntry(new Position(1 + 2L * i), List.of(filled(500, i), filled(500, i))));
    }
    for (int below = 1; below <= 200; below++) {
      writer.trim(below);
      List<LedgerEntry> held = writer.read(below, 1).entries();
      assertEquals((below - 1) / 2 * 2 + 1, held.getFirst().first().value());
    }
  }

  @Test
  void trimOfEverythingKeepsTheLastPosition() {
    User writer = new User(A);
    writer.fence();
    for (int i = 0; i < 50; i++) {
      writer.append(new LedgerEntry(new Position(1 + i), List.of(filled(1000, i))));
    }
    assertTrue(writer.trim(1_000_000).first().value() <= 51);
    fixture.reopen();
    User next = new User(B);
    assertEquals(new Position(50), next.fence().last());
    assertThrows(Check.Failed.class, () -> next.beginAppend(entry(50, 1)));
    assertInstanceOf(LedgerResult.Appended.class, next.append(entry(51, 1)));
    assertEquals(List.of(entry(51, 1)), next.readAll(51));
  }

  @Test
  void reopeningKeepsEverything() {
    List<LedgerEntry> entries = new ArrayList<>();
    long position = 1;
    for (int round = 0; round < 4; round++) {
      User writer = new User(round % 2 == 0 ? A : B);
      assertEquals(position - 1, writer.fence().last().value());
      for (int i = 0; i < 30; i++) {
        LedgerEntry entry =
            new LedgerEntry(new Position(position), List.of(filled(10 * i, i), filled(i, i)));
        entries.add(entry);
        writer.append(entry);
        position += 2;
      }
      fixture.reopen();
      assertEquals(entries, new User(A).readAll(1));
    }
  }

  private static void assertNotAppended(LedgerResult result) {
    assertTrue(
        result instanceof LedgerResult.AppendUnknown || result instanceof LedgerResult.Rejected,
        "not appended: " + result);
  }

  /** An entry before which numbers are burnt. */
  private static LedgerEntry burnt(long first, int records, long after) {
    return new LedgerEntry(
        new Position(first), entry(first, records).records(), new Position(after));
  }

  /** An entry whose records tell their positions. */
  private static LedgerEntry entry(long first, int records) {
    List<Bytes> texts = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      texts.add(Bytes.utf8("record " + (first + i)));
    }
    return new LedgerEntry(new Position(first), texts);
  }

  private static Bytes filled(int length, int seed) {
    byte[] array = new byte[length];
    for (int i = 0; i < length; i++) {
      array[i] = (byte) (i * 31 + seed);
    }
    return Bytes.wrap(array);
  }

  /** A node that uses the ledger. */
  private final class User {
    private final Ledger ledger;
    private final Map<Long, LedgerResult> results = new LinkedHashMap<>();
    private final List<Long> completed = new ArrayList<>();
    private long tokens;

    User(NodeId node) {
      ledger = fixture.handle(node, this::on);
    }

    private void on(Event event) {
      Event.LedgerDone done = assertInstanceOf(Event.LedgerDone.class, event);
      assertTrue(done.token() > 0 && done.token() <= tokens, "a token of this handle");
      assertFalse(results.containsKey(done.token()), "one result for one call");
      results.put(done.token(), done.result());
      completed.add(done.token());
    }

    long begin(Consumer<Long> call) {
      long token = ++tokens;
      call.accept(token);
      return token;
    }

    LedgerResult await(long token) {
      while (true) {
        LedgerResult result = results.get(token);
        if (result != null) {
          return result;
        }
        fixture.awaitEvent();
      }
    }

    /** A fence that failed may be tried again: real servers are too busy at times. */
    LedgerResult.Fenced fence() {
      LedgerResult result = await(begin(ledger::fence));
      for (int again = 0; result instanceof LedgerResult.Failed && again < 20; again++) {
        fixture.pause();
        result = await(begin(ledger::fence));
      }
      return assertInstanceOf(LedgerResult.Fenced.class, result);
    }

    long beginAppend(LedgerEntry entry) {
      return begin(token -> ledger.append(token, entry));
    }

    LedgerResult append(LedgerEntry entry) {
      return await(beginAppend(entry));
    }

    LedgerResult tryRead(long from, int bytesMax) {
      return await(begin(token -> ledger.read(token, new Position(from), bytesMax)));
    }

    /** Begins a read; what it answers is checked later. */
    Runnable beginChecked(long from, int bytesMax) {
      long token = begin(call -> ledger.read(call, new Position(from), bytesMax));
      return () -> {
        LedgerResult.Entries read = assertInstanceOf(LedgerResult.Entries.class, await(token));
        long next = from;
        for (LedgerEntry entry : read.entries()) {
          assertTrue(entry.after().value() < next, "a gap before " + entry.first());
          next = entry.last().value() + 1;
        }
        if (read.entries().isEmpty()) {
          assertTrue(read.end().value() < from, "nothing from " + from + ", end " + read.end());
        }
      };
    }

    LedgerResult.Entries read(long from, int bytesMax) {
      return assertInstanceOf(LedgerResult.Entries.class, tryRead(from, bytesMax));
    }

    /** Every entry from a position to the end, gathered in small reads. */
    List<LedgerEntry> readAll(long from) {
      List<LedgerEntry> all = new ArrayList<>();
      long next = from;
      while (true) {
        List<LedgerEntry> some = read(next, 3000).entries();
        if (some.isEmpty()) {
          return all;
        }
        all.addAll(some);
        next = some.getLast().last().value() + 1;
      }
    }

    LedgerResult.TrimDone trim(long below) {
      return assertInstanceOf(
          LedgerResult.TrimDone.class,
          await(begin(token -> ledger.trim(token, new Position(below)))));
    }
  }
}
