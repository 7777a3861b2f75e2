package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** Sessions of one store whose requests are those of several applications. */
class ApplicationsTest {
  private static final String REPORTS = "reports";
  private static final Table<String> ORDERS = Table.of("orders", Codec.utf8());

  private static Optional<String> word(Session session, long number) {
    return session.read(snapshot -> snapshot.get(WORDS, key(number)));
  }

  private static void write(Session session, long number, String value) {
    session.execute(tx -> tx.put(WORDS, key(number), value));
  }

  private static long commits(StoreFixture fixture, String application) {
    return fixture.cluster.requestsOf(application).stream()
        .filter(ClientRequest.Commit.class::isInstance)
        .count();
  }

  @Test
  void requestsAreOfTheApplicationThatTheSessionNames() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      EcStore store = fixture.store;
      Session reports = store.application(REPORTS);
      write(store, 1, "of the shop");
      assertEquals(List.of(), fixture.cluster.requestsOf(REPORTS), "nothing before it is used");
      int before = fixture.cluster.requestsOf("shop").size();

      assertEquals(Optional.of("of the shop"), word(reports, 1));
      write(reports, 2, "of reports");
      try (ManualTransaction manual = reports.begin()) {
        manual.put(WORDS, key(3), "of reports");
        manual.commit();
      }
      assertEquals(3L, reports.<Long, RuntimeException>read(s -> s.count(WORDS)));
      assertEquals("of reports", reports.transactAsync(tx -> tx.get(WORDS, key(3))).join().get());

      assertEquals(before, fixture.cluster.requestsOf("shop").size());
      assertEquals(2, commits(fixture, REPORTS));
      assertEquals(1, commits(fixture, "shop"));
      assertEquals(List.of(), fixture.cluster.requestsOf(""));
      assertEquals(3, store.counters().committed());
    }
  }

  /** The piece of the documents. */
  @Test
  void reportsAreCountedApartFromPages() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      EcStore store = fixture.store;
      store.execute(tx -> tx.put(ORDERS, key(1), "a book"));

      Session reports = store.application("reports");
      long open = reports.read(snapshot -> snapshot.count(ORDERS));

      assertEquals(1, open);
      assertTrue(!fixture.cluster.requestsOf(REPORTS).isEmpty());
    }
  }

  /** Where ranges are was found out by the store's first requests. */
  @Test
  void anotherApplicationAsksForNothingThatTheStoreKnows() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      write(fixture.store, 1, "one");
      assertEquals(Optional.of("one"), word(fixture.store.application(REPORTS), 1));
      assertEquals(1, fixture.cluster.requestsOf(REPORTS).size(), "the read, and nothing else");
    }
  }

  @Test
  void whatIsMadeOfTheSessionIsOfItsApplication() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Session reports =
          fixture
              .store
              .session()
              .application(REPORTS)
              .with(Isolation.SNAPSHOT)
              .with(ReadLevel.STRONG)
              .within(Duration.ofSeconds(7))
              .requiresNew();
      int before = fixture.cluster.requestsOf("").size();
      write(reports, 1, "one");
      assertEquals(Optional.of("one"), word(reports, 1));
      assertEquals(before, fixture.cluster.requestsOf("").size());
      write(reports.application("audit"), 2, "two");
      assertEquals(1, commits(fixture, "audit"));
      assertEquals(1, commits(fixture, REPORTS));
    }
  }

  @Test
  void theSessionHasSeenWhatTheOneThatItIsMadeOfHas() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Session session = fixture.store.session();
      Session reports = session.application(REPORTS);
      write(session, 1, "one");
      assertEquals(session.token(), reports.token());
      write(reports, 1, "two");
      assertEquals(session.token(), reports.token());
      assertEquals(Optional.of("two"), word(session, 1));
    }
  }

  @Test
  void theStoresOwnApplicationHasTheStoresConnections() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      write(fixture.store, 1, "one");
      List<String> before = fixture.cluster.connected();
      write(fixture.store.application("shop"), 2, "two");
      assertEquals(before, fixture.cluster.connected());
      assertTrue(before.stream().allMatch(one -> one.startsWith("shop ")), before::toString);
    }
  }

  @Test
  void anApplicationHasOneConnectionToEachNode() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      for (int i = 0; i < 10; i++) {
        write(fixture.store.application(REPORTS), i, "v");
        write(fixture.store.session().application(REPORTS), i, "w");
      }
      List<String> connected = fixture.cluster.connected();
      assertEquals(connected.stream().distinct().toList(), connected);
      assertTrue(connected.contains(REPORTS + " n1:1"), connected::toString);
    }
  }

  @Test
  void aLimitOfOneDoesNotTouchTheOthers() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      EcStore store = fixture.store;
      Session reports = store.application(REPORTS).within(Duration.ofSeconds(1));
      write(store, 1, "one");
      assertEquals(Optional.of("one"), word(reports, 1));
      fixture.cluster.limited.add(REPORTS);
      assertThrows(OverloadedException.class, () -> word(reports, 1));
      assertThrows(OverloadedException.class, () -> write(reports, 2, "two"));
      long nanos = fixture.time.nanos();
      assertEquals(Optional.of("one"), word(store, 1));
      write(store, 1, "two");
      assertEquals(nanos, fixture.time.nanos(), "it waits for nothing");
      fixture.cluster.limited.clear();
      fixture.cluster.limited.add("shop");
      assertEquals(Optional.of("two"), word(reports, 1));
      write(reports, 1, "three");
    }
  }

  /** One that may not read the catalog now keeps no other from it. */
  @Test
  void theCatalogIsReadByEachApplicationForItself() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      Session reports = fixture.store.application(REPORTS).within(Duration.ofSeconds(1));
      fixture.cluster.limited.add("shop");
      try (ManualTransaction manual = reports.beginWithFirstRead()) {
        manual.put(WORDS, key(1), "one");
        manual.commit();
      }
      assertEquals(1, commits(fixture, REPORTS));
    }
  }

  /** As many commits as may be under way of one wait for nodes; one of another is sent. */
  @Test
  void commitsOfOneDoNotWaitForThoseOfAnother() {
    AtomicBoolean within = new AtomicBoolean();
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.commitsUnderWay(1))) {
      Session reports = fixture.store.application(REPORTS).requiresNew();
      fixture.cluster.plan(
          (address, request) -> {
            if (request instanceof ClientRequest.Commit && !within.getAndSet(true)) {
              write(reports, 2, "meanwhile");
            }
            return new Fault.None();
          });
      write(fixture.store, 1, "one");
      assertEquals(1, commits(fixture, REPORTS));
      assertEquals(1, commits(fixture, ""));
    }
  }

  @Test
  void workOfAnotherApplicationDoesNotJoin() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      Session reports = store.application(REPORTS);
      WrongArgumentException refused =
          assertThrows(
              WrongArgumentException.class, () -> store.execute(tx -> write(reports, 1, "within")));
      assertTrue(refused.getMessage().contains("another application"), refused.getMessage());
      reports.execute(tx -> write(reports, 1, "joined"));
      store.execute(tx -> write(reports.requiresNew(), 2, "by itself"));
      assertEquals(2, commits(fixture, REPORTS));
      assertEquals(0, commits(fixture, ""));
    }
  }

  @Test
  void aStoreIsOfFewApplications() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.application("shop"))) {
      EcStore store = fixture.store;
      for (int i = 1; i < EcStore.APPLICATIONS_MAX; i++) {
        write(store.application("kind " + i), i, "v");
      }
      WrongArgumentException refused =
          assertThrows(WrongArgumentException.class, () -> store.application("one more"));
      assertTrue(refused.getMessage().contains("few applications"), refused.getMessage());
      assertTrue(refused.getMessage().contains("one more"), refused.getMessage());
      write(store.application("kind 1"), 1, "w");
      write(store.application("shop"), 1, "x");
    }
  }

  @Test
  void aClosedStoreOpensNone() {
    StoreFixture fixture = new StoreFixture(1);
    Session reports = fixture.store.application(REPORTS);
    write(reports, 1, "one");
    fixture.close();
    assertThrows(ClosedException.class, () -> write(reports, 1, "two"));
    assertThrows(ClosedException.class, () -> fixture.store.application("another"));
  }

  /** A connector of before, or of a test, that does not tell applications apart. */
  @Test
  void aConnectorMayLeaveTheNameOut() {
    FakeTime time = new FakeTime(1);
    FakeCluster cluster = new FakeCluster(time, "n1:1");
    try (EcStore store =
        EcStore.over(new NamelessConnector(cluster), EcStoreOptions.DEFAULT, time)) {
      write(store.application(REPORTS), 1, "one");
      assertEquals(Optional.of("one"), word(store, 1));
      assertEquals(List.of(), cluster.requestsOf(REPORTS));
    }
  }
}
