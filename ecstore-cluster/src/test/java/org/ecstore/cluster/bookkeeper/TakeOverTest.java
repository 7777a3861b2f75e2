package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.testing.Await;
import org.ecstore.core.testing.Pause;
import org.ecstore.id.Position;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule 6 between processes that share three bookies. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Order(1)
class TakeOverTest {
  @TempDir private static Path directory;

  /** Each is drawn anew, and the ledger goes on with what the one before has left. */
  private static final int ROUNDS = Boolean.getBoolean("ecstore.long") ? 60 : 20;

  private static TestBookies bookies;

  private static final AtomicInteger LEDGERS = new AtomicInteger();

  private final UUID cluster = UUID.randomUUID();
  private final String name = "ledger" + LEDGERS.incrementAndGet();
  private final List<BookKeeperLedger> open = new ArrayList<>();
  private BookKeeperSettings settings = BookKeeperSettings.DEFAULT;

  @BeforeAll
  static void startBookies() {
    bookies = new TestBookies(directory, "takeover", 3);
  }

  @AfterAll
  static void endBookies() {
    bookies.close();
  }

  @AfterEach
  void closeAll() {
    open.forEach(BookKeeperLedger::close);
  }

  private LedgerUser process(int node) throws IOException {
    return process(node, UnaryOperator.identity());
  }

  private LedgerUser process(int node, UnaryOperator<Metadata> faults) throws IOException {
    BookKeeperLedger service =
        BookKeeperLedger.open(
            bookies.paths().withLedger(name), cluster, settings, bookies.notes, faults);
    open.add(service);
    return new LedgerUser(service, node);
  }

  @Test
  void aTakeOverAmidAppendsKeepsWhatWasAcknowledgedAndNothingComesLater() throws Exception {
    settings = settings.withSegmentBytes(2_000);
    LedgerUser first = process(1);
    LedgerUser second = process(2);
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      LedgerUser old = round % 2 == 0 ? first : second;
      LedgerUser next = round % 2 == 0 ? second : first;
      long from = old.fence().last().value() + 1;
      Map<Long, LedgerEntry> sent = new LinkedHashMap<>();
      int before = random.nextInt(60);
      long fence = 0;
      for (int i = 0; i < 80; i++) {
        if (i == before) {
          fence = next.beginFence();
        }
        LedgerEntry entry = LedgerUser.entry(from + i, "round " + round + " entry " + i);
        sent.put(old.beginAppend(entry), entry);
        if (random.nextInt(4) == 0) {
          Pause.of(Duration.ofMillis(1));
        }
      }
      LedgerResult.Fenced fenced =
          assertInstanceOf(LedgerResult.Fenced.class, next.await(fence), "round " + round);
      long end = fenced.last().value();
      List<LedgerEntry> kept = next.readAll(from);
      LedgerEntry own = LedgerUser.entry(end + 1, "own " + round);
      assertInstanceOf(LedgerResult.Appended.class, next.append(own));
      boolean failed = false;
      for (Map.Entry<Long, LedgerEntry> append : sent.entrySet()) {
        LedgerResult result = old.await(append.getKey());
        if (result instanceof LedgerResult.Appended) {
          assertTrue(!failed, "an append is acknowledged after one that was not");
          assertTrue(kept.contains(append.getValue()), "acknowledged and lost in round " + round);
        } else {
          assertInstanceOf(LedgerResult.AppendUnknown.class, result);
          failed = true;
        }
      }
      assertEquals(end, kept.isEmpty() ? from - 1 : kept.getLast().last().value());
      assertEquals(List.copyOf(sent.values()).subList(0, kept.size()), kept);
      List<LedgerEntry> all = new ArrayList<>(kept);
      all.add(own);
      assertEquals(all, next.readAll(from), "round " + round);
      assertEquals(all, old.readAll(from), "round " + round);
    }
  }

  @Test
  void aFencedAppendIsUnknownAndSoIsEveryOneAfterIt() throws Exception {
    LedgerUser old = process(1);
    LedgerUser next = process(2);
    old.fence();
    assertInstanceOf(LedgerResult.Appended.class, old.append(LedgerUser.entry(1, "old")));
    assertEquals(1, next.fence().last().value());
    for (int i = 0; i < 3; i++) {
      assertInstanceOf(
          LedgerResult.AppendUnknown.class, old.append(LedgerUser.entry(2 + i, "fenced")));
    }
    assertInstanceOf(LedgerResult.Appended.class, next.append(LedgerUser.entry(2, "next")));
    assertInstanceOf(
        LedgerResult.AppendUnknown.class, old.append(LedgerUser.entry(5, "still fenced")));
    assertEquals(2, old.fence().last().value());
    assertInstanceOf(LedgerResult.Appended.class, old.append(LedgerUser.entry(3, "again")));
    assertEquals(
        List.of(
            LedgerUser.entry(1, "old"), LedgerUser.entry(2, "next"), LedgerUser.entry(3, "again")),
        next.readAll(1));
  }

  /** Between a fencer's read of the list and its change of it another node becomes the writer. */
  @Test
  void aFenceThatWasOvertakenBeginsAgain() throws Exception {
    AtomicReference<Gate> gate = new AtomicReference<>();
    LedgerUser slow = process(1, inner -> keep(gate, new Gate(inner)));
    LedgerUser quick = process(2);
    gate.get().next(Gate.Fate.HELD);
    long fence = slow.beginFence();
    gate.get().awaitHeld();
    assertEquals(0, quick.fence().last().value());
    assertInstanceOf(LedgerResult.Appended.class, quick.append(LedgerUser.entry(1, "quick")));
    gate.get().release();
    assertEquals(new LedgerResult.Fenced(new Position(1), new Position(1)), slow.await(fence));
    assertInstanceOf(
        LedgerResult.AppendUnknown.class, quick.append(LedgerUser.entry(2, "deposed")));
    assertInstanceOf(LedgerResult.Appended.class, slow.append(LedgerUser.entry(2, "slow")));
    assertEquals(
        List.of(LedgerUser.entry(1, "quick"), LedgerUser.entry(2, "slow")), quick.readAll(1));
  }

  /** It would begin again, as above, but the node does not lead any more. */
  @Test
  void aFenceThatWasOvertakenAndCalledOffDoesNotBeginAgain() throws Exception {
    AtomicReference<Gate> gate = new AtomicReference<>();
    LedgerUser slow = process(1, inner -> keep(gate, new Gate(inner)));
    LedgerUser quick = process(2);
    gate.get().next(Gate.Fate.HELD);
    long fence = slow.beginFence();
    gate.get().awaitHeld();
    assertEquals(0, quick.fence().last().value());
    slow.ledger.cancel(fence);
    assertInstanceOf(LedgerResult.Failed.class, slow.await(fence));
    gate.get().release();
    // Its next fence comes behind whatever is left of the one before.
    assertEquals(0, slow.fence().last().value());
    assertEquals(2, gate.get().writes(), "once in vain, and once by the fence that was wanted");
  }

  /**
   * The writer rolls while it is being fenced, and its change of the list comes first: what it
   * appends to the new segment must be found by the fence, or be refused.
   */
  @Test
  void aRollThatOvertakesAFenceIsFencedToo() throws Exception {
    settings = settings.withSegmentBytes(100);
    AtomicReference<Gate> rolling = new AtomicReference<>();
    AtomicReference<Gate> fencing = new AtomicReference<>();
    LedgerUser writer = process(1, inner -> keep(rolling, new Gate(inner)));
    LedgerUser fencer = process(2, inner -> keep(fencing, new Gate(inner)));
    writer.fence();
    rolling.get().next(Gate.Fate.HELD);
    long first = writer.beginAppend(LedgerUser.filled(1, 200));
    long second = writer.beginAppend(LedgerUser.filled(2, 20));
    assertInstanceOf(LedgerResult.Appended.class, writer.await(first));
    rolling.get().awaitHeld();
    fencing.get().next(Gate.Fate.HELD);
    long fence = fencer.beginFence();
    fencing.get().awaitHeld();
    rolling.get().release();
    assertInstanceOf(LedgerResult.Appended.class, writer.await(second), "the roll came first");
    fencing.get().release();
    assertEquals(new LedgerResult.Fenced(new Position(1), new Position(2)), fencer.await(fence));
    assertInstanceOf(LedgerResult.AppendUnknown.class, writer.append(LedgerUser.filled(3, 20)));
    assertEquals(List.of(LedgerUser.filled(1, 200), LedgerUser.filled(2, 20)), fencer.readAll(1));
  }

  /** The fencer's change comes first: the writer finds out before it uses its new segment. */
  @Test
  void aRollThatWasOvertakenByAFenceAppendsNothing() throws Exception {
    settings = settings.withSegmentBytes(100);
    AtomicReference<Gate> rolling = new AtomicReference<>();
    LedgerUser writer = process(1, inner -> keep(rolling, new Gate(inner)));
    LedgerUser fencer = process(2);
    writer.fence();
    rolling.get().next(Gate.Fate.HELD);
    long first = writer.beginAppend(LedgerUser.filled(1, 200));
    long second = writer.beginAppend(LedgerUser.filled(2, 20));
    assertInstanceOf(LedgerResult.Appended.class, writer.await(first));
    rolling.get().awaitHeld();
    assertEquals(1, fencer.fence().last().value());
    rolling.get().release();
    assertInstanceOf(LedgerResult.AppendUnknown.class, writer.await(second));
    assertInstanceOf(LedgerResult.Appended.class, fencer.append(LedgerUser.filled(2, 30)));
    assertEquals(List.of(LedgerUser.filled(1, 200), LedgerUser.filled(2, 30)), writer.readAll(1));
  }

  @Test
  void aTrimByAnotherNodeDoesNotDeposeAWriterThatRolls() throws Exception {
    settings = settings.withSegmentBytes(100);
    AtomicReference<Gate> rolling = new AtomicReference<>();
    LedgerUser writer = process(1, inner -> keep(rolling, new Gate(inner)));
    LedgerUser other = process(2);
    writer.fence();
    for (int i = 1; i <= 3; i++) {
      assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.filled(i, 200)));
    }
    awaitWrites(rolling.get(), 4);
    rolling.get().next(Gate.Fate.HELD);
    long last = writer.beginAppend(LedgerUser.filled(4, 200));
    long more = writer.beginAppend(LedgerUser.filled(5, 20));
    assertInstanceOf(LedgerResult.Appended.class, writer.await(last));
    rolling.get().awaitHeld();
    assertEquals(3, other.trim(3).first().value());
    rolling.get().release();
    assertInstanceOf(LedgerResult.Appended.class, writer.await(more));
    assertEquals(
        List.of(LedgerUser.filled(3, 200), LedgerUser.filled(4, 200), LedgerUser.filled(5, 20)),
        other.readAll(3));
  }

  @ParameterizedTest
  @EnumSource(
      value = Gate.Fate.class,
      names = {"DONE_WITHOUT_ANSWER", "LOST", "DONE_LATE"})
  void whatBecameOfAChangeWithoutAnswerIsReadBack(Gate.Fate fate) throws Exception {
    settings = settings.withSegmentBytes(100);
    AtomicReference<Gate> gate = new AtomicReference<>();
    LedgerUser writer = process(1, inner -> keep(gate, new Gate(inner)));
    LedgerUser other = process(2);
    gate.get().next(fate);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      gate.get().next(fate);
      entries.add(LedgerUser.filled(i, 60));
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entries.get(i - 1)));
    }
    gate.get().next(fate);
    assertTrue(writer.trim(5).first().value() >= 4);
    assertEquals(entries.subList(4, 10), other.readAll(5));
    assertEquals(10, other.fence().last().value());
    assertInstanceOf(LedgerResult.AppendUnknown.class, writer.append(LedgerUser.filled(11, 60)));
    assertInstanceOf(LedgerResult.Appended.class, other.append(LedgerUser.filled(11, 70)));
    assertEquals(List.of(LedgerUser.filled(11, 70)), other.readAll(11));
  }

  /** A segment that looks like an orphan is about to be put into the list. */
  @Test
  void aSegmentThatWasDeletedAsAnOrphanNeverGetsIntoTheList() throws Exception {
    AtomicReference<Gate> gate = new AtomicReference<>();
    LedgerUser slow = process(1, inner -> keep(gate, new Gate(inner)));
    gate.get().next(Gate.Fate.HELD);
    long fence = slow.beginFence();
    gate.get().awaitHeld();
    settings = settings.withGraceMillis(0, 100);
    AtomicReference<Gate> collecting = new AtomicReference<>();
    LedgerUser other = process(2, inner -> keep(collecting, new Gate(inner)));
    awaitWrites(collecting.get(), 1);
    gate.get().release();
    assertInstanceOf(LedgerResult.Fenced.class, slow.await(fence));
    assertInstanceOf(LedgerResult.Appended.class, slow.append(LedgerUser.entry(1, "there")));
    // Three rounds of the other's search for orphans.
    Pause.of(Duration.ofMillis(300));
    assertEquals(List.of(LedgerUser.entry(1, "there")), other.readAll(1));
    assertEquals(1, other.fence().last().value());
  }

  /** What standbys do: they must not see what is not, in the end, in the ledger. */
  @Test
  void whoFollowsSeesTheLedgerAndNothingElse() throws Exception {
    LedgerUser first = process(1);
    LedgerUser second = process(2);
    LedgerUser follower = process(3);
    AtomicBoolean ended = new AtomicBoolean();
    List<LedgerEntry> followed = new ArrayList<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread following = Thread.ofPlatform().start(() -> follow(follower, followed, ended, failure));
    Random random = new Random(3);
    for (int round = 0; round < ROUNDS; round++) {
      LedgerUser old = round % 2 == 0 ? first : second;
      LedgerUser next = round % 2 == 0 ? second : first;
      long from = old.fence().last().value() + 1;
      int before = 5 + random.nextInt(40);
      long fence = 0;
      for (int i = 0; i < 60; i++) {
        if (i == before) {
          fence = next.beginFence();
        }
        old.beginAppend(LedgerUser.entry(from + i, "round " + round + " entry " + i));
        if (random.nextInt(6) == 0) {
          Pause.of(Duration.ofMillis(1));
        }
      }
      assertInstanceOf(LedgerResult.Fenced.class, next.await(fence), "round " + round);
    }
    LedgerResult.Fenced last = first.fence();
    List<LedgerEntry> all = first.readAll(1);
    assertEquals(last.last(), all.getLast().last());
    ended.set(true);
    following.join();
    assertEquals(null, failure.get());
    assertEquals(all, followed);
  }

  private static void follow(
      LedgerUser follower,
      List<LedgerEntry> followed,
      AtomicBoolean ended,
      AtomicReference<Throwable> failure) {
    try {
      long next = 1;
      while (true) {
        boolean last = ended.get();
        List<LedgerEntry> some = follower.read(next, 4000).entries();
        followed.addAll(some);
        if (!some.isEmpty()) {
          next = some.getLast().last().value() + 1;
        } else if (last) {
          return;
        }
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failure.set(e);
    }
  }

  private static void awaitWrites(Gate gate, int writes) {
    Await.until("the list is written " + writes + " times", () -> gate.writes() >= writes);
  }

  private static Gate keep(AtomicReference<Gate> to, Gate gate) {
    to.set(gate);
    return gate;
  }
}
