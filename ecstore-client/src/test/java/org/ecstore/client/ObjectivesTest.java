package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.NotAllowedException;
import org.ecstore.client.error.ObjectiveRefusedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeObjectives;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objectives by the API of clients, and what goes wrong on the way; in virtual time. */
class ObjectivesTest {
  private static final String SECRET = "a secret of thirty-two characters or more";
  private static final Objective REPORTS = Objective.bestEffort("reports").weight(2);

  @TempDir private Path directory;

  private final FakeTime time = new FakeTime(1);
  private final FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1", "n3:1");
  private final FakeObjectives kept = new FakeObjectives(Optional.of(ClusterSecret.of(SECRET)));

  ObjectivesTest() {
    cluster.store().objectives(kept);
  }

  private EcStore store(EcStoreOptions options) {
    return EcStore.over(cluster, options.withoutWaitingForNodes(), time);
  }

  private EcStore knowing(String secret) {
    return store(EcStoreOptions.DEFAULT.secret(ClusterSecret.of(secret)));
  }

  private long sent() {
    return cluster.requests(ClientRequest.Administer.class).size();
  }

  /** The piece of the documents. */
  @Test
  void objectivesAreStatedAndSeen() throws IOException {
    Path file = Files.writeString(directory.resolve("cluster.secret"), SECRET + "\n");
    List<String> log = new ArrayList<>();
    EcStoreOptions options = EcStoreOptions.DEFAULT.secretFile(file);
    try (EcStore store = store(options)) {
      store
          .objectives()
          .set(
              Objective.guaranteed("shop")
                  .tables("users", "orders")
                  .p99(Duration.ofMillis(20))
                  .rate(4_000)
                  .reads(95),
              Objective.bestEffort("reports").weight(2));

      for (ObjectiveStatus each : store.objectives().all()) {
        String p99 =
            each.measured().map(had -> had.time(Statistic.P99).toMillis() + " ms").orElse("-");
        log.add(each.application() + " is " + each.verdict().word() + ", p99 " + p99);
      }

      store.objectives().remove("reports");

      assertEquals(List.of("reports is kept, p99 15 ms", "shop is kept, p99 15 ms"), log);
      assertEquals(Optional.empty(), store.objectives().status("reports"));
      ObjectiveStatus shop = store.objectives().status("shop").orElseThrow();
      assertEquals(List.of("orders", "users"), shop.objective().tables());
      assertEquals(ServiceVerdict.KEPT, shop.verdict());
      assertEquals(time.millis(), shop.since().toEpochMilli());
      assertEquals(shop.history(), store.objectives().history("shop"));
      assertEquals(2, shop.history().size());
      assertEquals(List.of(), store.objectives().history("reports"));
      assertEquals(
          List.of("1 shop false", "2 reports false", "3 reports true"),
          store.objectives().history().stream()
              .map(one -> one.number() + " " + one.objective().application() + " " + one.removed())
              .toList());
    }
  }

  /** By the words of {@code slo set}. */
  @Test
  void allThatCanBeStatedCanBeSaid() {
    Objective objective =
        Objective.guaranteed("shop")
            .tables("b", "a")
            .mean(Duration.ofMillis(30))
            .mean(Duration.ofMillis(5))
            .p95(Duration.ofMillis(10))
            .p99(Duration.ofMillis(20))
            .clients(8)
            .rate(4_000)
            .reads(95)
            .locality(Locality.ZIPF)
            .dataSize(1_000_000)
            .recordSize(1_000)
            .quota(2_000_000);
    assertEquals(List.of(), objective.faults());
    assertEquals(
        List.of(
            new ResponseTarget(Statistic.MEAN, Duration.ofMillis(5)),
            new ResponseTarget(Statistic.P95, Duration.ofMillis(10)),
            new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
        objective.targets());
    ObjectiveWorkload workload = objective.workload();
    assertEquals(Optional.of(new OperationRate(4_000)), workload.load());
    assertEquals(Optional.of(Locality.ZIPF), workload.locality());
    assertEquals(95, workload.readPercent().orElseThrow());
    assertEquals(1_000_000, workload.dataBytes().orElseThrow());
    assertEquals(1_000, workload.recordBytes().orElseThrow());
    assertEquals(2_000_000, objective.quotaBytes().orElseThrow());
    assertEquals(ServiceClass.GUARANTEED, objective.serviceClass());
    assertEquals(Optional.of(new ClientCount(8)), objective.clients(8).workload().load());
    assertEquals(ServiceClass.BEST_EFFORT, REPORTS.serviceClass());
    assertEquals(2, REPORTS.weight());
    assertEquals(List.of(), REPORTS.faults());
  }

  @Test
  void whatItsTablesHoldIsSeen() {
    try (EcStore store = knowing(SECRET)) {
      store.objectives().set(REPORTS.tables("reports").quota(5));
      ObjectiveStatus status = store.objectives().status("reports").orElseThrow();
      assertEquals(Optional.of(7L), status.heldBytes());
      assertTrue(status.refused());
    }
  }

  @Test
  void allThatIsWrongIsSaidAtOnceAndNothingIsTold() {
    try (EcStore store = knowing(SECRET)) {
      WrongArgumentException told =
          assertThrows(
              WrongArgumentException.class,
              () -> store.objectives().set(REPORTS, Objective.guaranteed("shop").weight(0)));
      String message = String.valueOf(told.getMessage());
      for (String fault :
          List.of(
              "application=shop",
              "a weight is from 1 to 1000, not 0",
              "a guarantee needs a response time",
              "a guarantee is for a load")) {
        assertTrue(message.contains(fault), message);
      }
      assertEquals(0, sent());
      assertEquals(List.of(), store.objectives().all());
    }
  }

  @Test
  void whatTheClusterRefusesSaysWhy() {
    try (EcStore store = knowing(SECRET)) {
      store.objectives().set(REPORTS.tables("orders"));
      ObjectiveRefusedException told =
          assertThrows(
              ObjectiveRefusedException.class,
              () -> store.objectives().set(Objective.bestEffort("shop").tables("orders")));
      assertEquals("the table is of another application already", told.why());
      assertEquals("shop", told.details().get("application"));
      assertThrows(ObjectiveRefusedException.class, () -> store.objectives().remove("nothing"));
      assertEquals(1, store.objectives().all().size());
    }
  }

  @Test
  void whoDoesNotHaveTheSecretMayLookOnly() {
    try (EcStore right = knowing(SECRET);
        EcStore without = store(EcStoreOptions.DEFAULT);
        EcStore wrong = knowing(SECRET + "!")) {
      right.objectives().set(REPORTS);
      for (EcStore store : List.of(without, wrong)) {
        NotAllowedException told =
            assertThrows(NotAllowedException.class, () -> store.objectives().remove("reports"));
        String message = String.valueOf(told.getMessage());
        assertTrue(message.contains("EcStoreOptions.secretFile"), message);
        assertEquals(1, store.objectives().all().size());
      }
      assertEquals(1, kept.told());
    }
  }

  @Test
  void aFileThatHoldsNoSecretIsNamed() throws IOException {
    Path absent = directory.resolve("typo");
    Path brief = Files.writeString(directory.resolve("brief"), "too short");
    Path large = Files.writeString(directory.resolve("large"), "x".repeat(5_000));
    for (Path file : List.of(absent, brief, large, directory)) {
      try (EcStore store = store(EcStoreOptions.DEFAULT.secretFile(file))) {
        NotAllowedException told =
            assertThrows(NotAllowedException.class, () -> store.objectives().set(REPORTS));
        assertEquals(file.toString(), told.details().get("file"));
        assertTrue(!String.valueOf(told.getMessage()).contains("too short"), told::toString);
      }
    }
    assertEquals(0, sent());
  }

  @Test
  void aNodeInThisProcessAsksForNoProof() {
    cluster.store().objectives(new FakeObjectives(Optional.empty()));
    try (EcStore without = store(EcStoreOptions.DEFAULT);
        EcStore with = knowing(SECRET)) {
      without.objectives().set(REPORTS);
      with.objectives().remove("reports");
      assertEquals(2, with.objectives().history().size());
    }
  }

  /**
   * Answers get lost, and the leader says for a while that it is at it: one request all the same.
   */
  @Test
  void whatIsToldSeveralTimesIsOneRequest() {
    AtomicInteger lost = new AtomicInteger();
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Administer && lost.getAndIncrement() < 3
                ? new Fault.LoseReply()
                : new Fault.None());
    kept.underWay = 5;
    try (EcStore store = knowing(SECRET)) {
      store.objectives().set(REPORTS);
    }
    assertEquals(1, kept.told());
    assertTrue(sent() > 4, () -> sent() + " were sent");
    Set<Long> ids =
        cluster.requests(ClientRequest.Administer.class).stream()
            .map(ClientRequest.Administer::id)
            .collect(Collectors.toSet());
    assertEquals(1, ids.size());
  }

  /** The challenge was of a connection that broke before the request. */
  @Test
  void aProofThatANodeDoesNotExpectIsMadeAgainOnce() {
    AtomicInteger times = new AtomicInteger();
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Administer && times.getAndIncrement() == 0
                ? new Fault.Instead(
                    new ClientReply.Refused(
                        RefusalCode.BAD_REQUEST, "a request without a challenge before it"))
                : new Fault.None());
    try (EcStore store = knowing(SECRET)) {
      store.objectives().set(REPORTS);
      assertEquals(1, store.objectives().all().size());
    }
    assertEquals(2, times.get());
  }

  @Test
  void whetherItWasDoneMayNotBeKnown() {
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Administer ? new Fault.LoseReply() : new Fault.None());
    try (EcStore store = knowing(SECRET)) {
      EcStoreException told =
          assertThrows(EcStoreException.class, () -> store.objectives().set(REPORTS));
      assertEquals(ErrorCode.UNKNOWN_OUTCOME, told.code());
      assertEquals(1, store.objectives().all().size());
    }
  }

  /** Of what one node has taken another one's refusal says nothing. */
  @Test
  void refusalsAfterAnAnswerThatGotLostDoNotSayThatNothingWasDone() {
    AtomicInteger times = new AtomicInteger();
    cluster.plan(
        (address, request) -> {
          if (!(request instanceof ClientRequest.Administer)) {
            return new Fault.None();
          }
          return times.getAndIncrement() == 0
              ? new Fault.LoseReply()
              : new Fault.Instead(
                  new ClientReply.Refused(
                      RefusalCode.BAD_REQUEST, "a request without a challenge before it"));
        });
    try (EcStore store = knowing(SECRET)) {
      EcStoreException told =
          assertThrows(EcStoreException.class, () -> store.objectives().set(REPORTS));
      assertEquals(ErrorCode.UNKNOWN_OUTCOME, told.code());
      assertEquals(1, store.objectives().all().size());
    }
  }

  @Test
  void whatIsPutOffMayHaveBeenDone() {
    kept.putsOff = true;
    try (EcStore store = knowing(SECRET)) {
      EcStoreException told =
          assertThrows(EcStoreException.class, () -> store.objectives().set(REPORTS));
      assertEquals(ErrorCode.UNKNOWN_OUTCOME, told.code());
      assertEquals("coordination does not answer", told.details().get("why"));
    }
  }

  /** Nodes that have too much to do have done nothing. */
  @Test
  void whereAllNodesAreOverloadedNothingWasDone() {
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Administer
                ? new Fault.Instead(
                    new ClientReply.Refused(RefusalCode.OVERLOADED, "too much is under way"))
                : new Fault.None());
    try (EcStore store = knowing(SECRET)) {
      EcStoreException told =
          assertThrows(EcStoreException.class, () -> store.objectives().set(REPORTS));
      assertEquals(ErrorCode.OVERLOADED, told.code());
      assertEquals(0, kept.told());
    }
  }

  @Test
  void whereNoNodeTakesItNothingWasDone() {
    try (EcStore store = knowing(SECRET)) {
      cluster.plan((address, request) -> new Fault.NotSent());
      long start = time.nanos();
      UnavailableException told =
          assertThrows(UnavailableException.class, () -> store.objectives().set(REPORTS));
      assertEquals(ErrorCode.UNAVAILABLE, told.code());
      assertThrows(UnavailableException.class, () -> store.objectives().all());
      Duration took = Duration.ofNanos(time.nanos() - start);
      assertTrue(took.compareTo(Duration.ofSeconds(61)) < 0, took::toString);
      assertEquals(0, kept.told());
    }
  }
}
