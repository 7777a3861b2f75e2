package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.fake.FakeStore;
import org.ecstore.client.fake.Fault;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Read-only work goes to any copy, and to another when one cannot answer. */
class AnyCopyTest {
  private static final Position FAR = new Position(1_000_000);
  private static final Set<NodeId> ALL =
      Set.of(FakeStore.node("n1:1"), FakeStore.node("n2:1"), FakeStore.node("n3:1"));

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  AnyCopyTest() {
    fixture.cluster.store().follow("n2:1", FAR);
    fixture.cluster.store().follow("n3:1", FAR);
    store.execute(tx -> tx.put(WORDS, key(1), "one"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private AnsweredBy read() {
    return store.read(
        snapshot -> {
          assertEquals(Optional.of("one"), snapshot.get(WORDS, key(1)));
          AnsweredBy by = snapshot.lastRead().orElseThrow();
          assertEquals(snapshot.readPoint().position(), by.position());
          return by;
        });
  }

  private Set<NodeId> readers(int reads) {
    Set<NodeId> nodes = new TreeSet<>();
    for (int i = 0; i < reads; i++) {
      nodes.add(read().node());
    }
    return nodes;
  }

  @Test
  void readsAreSpreadOverAllCopies() {
    assertEquals(ALL, readers(50));
  }

  @Test
  void readsGoToTheCopyWhoseEngineReadsBestAndLastReadSaysSo() {
    fixture.cluster.readRanks.put("n1:1", 2);
    fixture.cluster.readRanks.put("n2:1", 1);
    readers(10);
    for (int i = 0; i < 50; i++) {
      AnsweredBy by = read();
      assertEquals(FakeStore.node("n3:1"), by.node());
      assertTrue(by.why().startsWith("of the copies about as near its engine reads best"), by::why);
    }
  }

  /**
   * Rule 23: under a burst of writes the copy that reads best has not got what was just written.
   */
  @Test
  void whatWasJustWrittenIsReadFromAnotherCopyThanTheOneThatReadsBestAndLags() {
    fixture.cluster.readRanks.put("n1:1", 2);
    fixture.cluster.readRanks.put("n2:1", 1);
    readers(10);
    fixture.cluster.store().follow("n3:1", new Position(1));
    for (int i = 0; i < 20; i++) {
      assertEquals(FakeStore.node("n2:1"), read().node());
    }
    fixture.cluster.store().follow("n3:1", FAR);
    fixture.time.advance(50_000_000L);
    assertEquals(FakeStore.node("n3:1"), read().node());
  }

  @Test
  void updateTransactionsReadThePrimary() {
    for (int i = 0; i < 20; i++) {
      store.execute(
          tx -> {
            assertTrue(tx.lastRead().isEmpty());
            tx.get(WORDS, key(1));
            assertEquals(CopyRole.PRIMARY, tx.lastRead().orElseThrow().role());
            tx.scan(WORDS).toList();
            assertEquals(CopyRole.PRIMARY, tx.lastRead().orElseThrow().role());
          });
    }
  }

  @Test
  void aCopyThatIsBehindIsPassedOverAtOnce() {
    fixture.cluster.store().follow("n2:1", new Position(1));
    fixture.cluster.store().follow("n3:1", new Position(1));
    long before = fixture.time.nanos();
    for (int i = 0; i < 20; i++) {
      assertEquals(FakeStore.node("n1:1"), read().node());
    }
    assertEquals(before, fixture.time.nanos(), "no read waited");
    int gets = fixture.cluster.requests(ClientRequest.Get.class).size();
    // One more for the news of the copies.
    assertTrue(gets <= 23, () -> "each secondary was asked once, not " + gets + " gets");
  }

  @Test
  void readsGoOnWhileThePrimaryIsSilent() {
    readers(10);
    fixture.cluster.plan(
        (address, request) ->
            address.equals("n1:1") && !(request instanceof ClientRequest.Begin)
                ? new Fault.LoseRequest()
                : new Fault.None());
    Set<NodeId> nodes = readers(50);
    assertEquals(Set.of(FakeStore.node("n2:1"), FakeStore.node("n3:1")), nodes);
  }

  @Test
  void scansGoToAnyCopyToo() {
    Set<NodeId> nodes = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      store.read(
          snapshot -> {
            assertEquals(1, snapshot.scan(WORDS).toList().size());
            return nodes.add(snapshot.lastRead().orElseThrow().node());
          });
    }
    assertEquals(ALL, nodes);
  }

  /** A node that was slow once is not measured again for seconds, unless a busy copy names it. */
  @Test
  void aBusyCopyIsBelievedThatAnotherHasTheKeys() {
    readers(10);
    fixture.cluster.store().hotReplica("n4:1", Optional.of(KeyRange.ALL));
    boolean[] slow = {true};
    fixture.cluster.plan(
        (address, request) -> {
          if (address.equals("n4:1") && slow[0]) {
            fixture.time.advance(20_000_000L);
          }
          return new Fault.None();
        });
    readers(5);
    slow[0] = false;
    for (int i = 0; i < 10; i++) {
      assertEquals(CopyRole.HOT_REPLICA, read().role());
    }
  }

  @Test
  void theLevelIsSentAlong() {
    for (ReadLevel level :
        List.of(ReadLevel.LOCAL, ReadLevel.bounded(Duration.ofMillis(500)), ReadLevel.STRONG)) {
      store.read(level, snapshot -> snapshot.get(WORDS, key(1)));
      List<ClientRequest.BeginWith> begun = fixture.cluster.requests(ClientRequest.BeginWith.class);
      assertEquals(level, begun.get(begun.size() - 1).level());
    }
  }

  /** A copy that was made anew begins at its stamp; those from before have older versions. */
  @Test
  void anOldSnapshotIsReadFromCopiesThatAreOlderYet() {
    for (ReadLevel level :
        List.of(
            ReadLevel.LOCAL,
            ReadLevel.SESSION,
            ReadLevel.bounded(Duration.ofSeconds(1)),
            ReadLevel.STRONG)) {
      try (ManualSnapshot old = store.with(level).snapshot()) {
        store.execute(tx -> tx.put(WORDS, key(2), "later"));
        fixture.cluster.store().base("n1:1", fixture.cluster.store().durable());
        fixture.cluster.store().base("n3:1", fixture.cluster.store().durable());
        long before = fixture.time.nanos();
        for (int i = 0; i < 20; i++) {
          assertEquals(Optional.of("one"), old.get(WORDS, key(1)));
          assertEquals(FakeStore.node("n2:1"), old.lastRead().orElseThrow().node());
          assertEquals("one", old.scan(WORDS).toList().get(0).value());
          assertEquals(FakeStore.node("n2:1"), old.lastRead().orElseThrow().node());
        }
        assertEquals(before, fixture.time.nanos(), "no read waited");
      }
    }
  }

  /** The only copy that is old enough is behind, or silent, for a moment. */
  @Test
  void theOnlyCopyThatIsOldEnoughIsWaitedFor() {
    try (ManualSnapshot old = store.snapshot()) {
      store.execute(tx -> tx.put(WORDS, key(2), "later"));
      fixture.cluster.store().base("n1:1", fixture.cluster.store().durable());
      fixture.cluster.store().base("n3:1", fixture.cluster.store().durable());
      int[] lost = {2};
      fixture.cluster.plan(
          (address, request) ->
              address.equals("n2:1") && request instanceof ClientRequest.Get && lost[0]-- > 0
                  ? new Fault.LoseReply()
                  : new Fault.None());
      assertEquals(Optional.of("one"), old.get(WORDS, key(1)));
      fixture.cluster.store().follow("n2:1", new Position(1));
      int[] asked = {3};
      fixture.cluster.plan(
          (address, request) -> {
            if (address.equals("n2:1") && --asked[0] == 0) {
              fixture.cluster.store().follow("n2:1", FAR);
            }
            return new Fault.None();
          });
      assertEquals(Optional.of("one"), old.scan(WORDS).first().map(Entry::value));
    }
  }

  @Test
  void aSnapshotOlderThanAllCopiesSaysWhatToDo() {
    try (ManualSnapshot old = store.snapshot()) {
      store.execute(tx -> tx.put(WORDS, key(2), "later"));
      for (String node : List.of("n1:1", "n2:1", "n3:1")) {
        fixture.cluster.store().base(node, fixture.cluster.store().durable());
      }
      SnapshotTooOldException refused =
          assertThrows(SnapshotTooOldException.class, () -> old.get(WORDS, key(1)));
      assertTrue(String.valueOf(refused.getMessage()).contains("begin a new one"));
      assertThrows(SnapshotTooOldException.class, () -> old.scan(WORDS).toList());
    }
  }

  @Test
  void anAnswerSaysHowFarBehindItsCopyWas() {
    fixture.cluster.store().follow("n2:1", fixture.cluster.store().durable());
    fixture.cluster.store().follow("n3:1", fixture.cluster.store().durable());
    try (ManualSnapshot old = store.snapshot()) {
      fixture.cluster.store().write(StoreFixture.stored(2), Optional.empty());
      fixture.cluster.store().write(StoreFixture.stored(2), Optional.empty());
      boolean[] seen = new boolean[1];
      for (int i = 0; i < 50; i++) {
        old.get(WORDS, key(1));
        AnsweredBy by = old.lastRead().orElseThrow();
        assertEquals(by.role() == CopyRole.PRIMARY ? 0 : 2, by.behind(), by::toString);
        seen[0] |= by.role() == CopyRole.SECONDARY;
      }
      assertTrue(seen[0]);
    }
  }

  @Test
  void whoIsChosenIsSaidWithItsReason() {
    String said = read().toString();
    assertTrue(said.startsWith("n"), said);
    assertTrue(said.contains(" behind: "), said);
    assertFalse(read().why().isEmpty());
  }
}
