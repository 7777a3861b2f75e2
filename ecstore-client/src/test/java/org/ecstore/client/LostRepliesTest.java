package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** Rule 5: whatever happens to commits and questions on their way, nothing is applied twice. */
class LostRepliesTest {
  private static final Table<String> COUNTERS = Table.of("counters", Codec.utf8());
  private static final Tuple HITS = Tuple.of("hits");

  private static Fault fault(Random random, ClientRequest request) {
    boolean fragile =
        request instanceof ClientRequest.Commit || request instanceof ClientRequest.AskOutcome;
    if (!fragile || random.nextInt(3) == 0) {
      return new Fault.None();
    }
    return switch (random.nextInt(8)) {
      case 0 -> new Fault.NotSent();
      case 1 -> new Fault.LoseRequest();
      case 2 -> new Fault.LoseReply();
      case 3 -> new Fault.SlowReply();
      case 4 -> new Fault.Late();
      case 5 -> new Fault.Instead(new ClientReply.OutcomeUnknown("slow"));
      case 6 -> new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "busy"));
      default -> new Fault.None();
    };
  }

  /** As above, or a node that is busy nearly all the time. */
  private static Fault faultOrBusy(Random random, boolean busy, ClientRequest request) {
    return busy && request instanceof ClientRequest.Commit && random.nextInt(10) > 0
        ? new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "busy"))
        : fault(random, request);
  }

  private static long increment(Session session) {
    return session.transact(
        tx -> {
          long next = tx.get(COUNTERS, HITS).map(Long::parseLong).orElse(0L) + 1;
          tx.put(COUNTERS, HITS, Long.toString(next));
          return next;
        });
  }

  private static long value(Session session) {
    return session.read(snapshot -> snapshot.get(COUNTERS, HITS).map(Long::parseLong).orElse(0L));
  }

  @Test
  void everyAcknowledgedIncrementCountsOnceWhateverGetsLost() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      EcStoreOptions patient =
          EcStoreOptions.DEFAULT
              .deadline(Duration.ofHours(1))
              .requestTimeout(Duration.ofSeconds(1));
      try (StoreFixture fixture = new StoreFixture(seed, patient)) {
        fixture.cluster.plan((address, request) -> fault(random, request));
        for (int i = 1; i <= 20; i++) {
          assertEquals(i, increment(fixture.store), "seed " + seed);
        }
        assertEquals(20, value(fixture.store), "seed " + seed);
        assertEquals(20, fixture.cluster.store().commitsApplied(), "seed " + seed);
        assertEquals(20, fixture.store.counters().committed(), "seed " + seed);
      }
    }
  }

  /**
   * With little time some stay unknown: those count once or not at all, the others exactly once.
   */
  @Test
  void withLittleTimeTheCountIsBetweenKnownAndPossible() {
    Map<ErrorCode, Integer> failures = new EnumMap<>(ErrorCode.class);
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      EcStoreOptions hurried =
          EcStoreOptions.DEFAULT
              .deadline(Duration.ofMillis(300))
              .requestTimeout(Duration.ofMillis(100));
      try (StoreFixture fixture = new StoreFixture(seed, hurried)) {
        boolean busy = seed % 4 == 0;
        fixture.cluster.plan((address, request) -> faultOrBusy(random, busy, request));
        long done = 0;
        long unknown = 0;
        for (int i = 0; i < 20; i++) {
          try {
            increment(fixture.store);
            done++;
          } catch (UnknownOutcomeException e) {
            unknown++;
            failures.merge(e.code(), 1, Integer::sum);
          } catch (UnavailableException e) {
            failures.merge(e.code(), 1, Integer::sum);
          }
        }
        fixture.cluster.plan((address, request) -> new Fault.None());
        long value = value(fixture.store);
        assertTrue(
            done <= value && value <= done + unknown,
            "seed " + seed + ": " + done + " <= " + value + " <= " + done + " + " + unknown);
      }
    }
    assertTrue(failures.getOrDefault(ErrorCode.UNKNOWN_OUTCOME, 0) > 10, failures.toString());
    assertTrue(failures.getOrDefault(ErrorCode.UNAVAILABLE, 0) > 0, failures.toString());
  }

  @Test
  void aLateCommitIsVoidOnceItWasAskedFor() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      List<Fault> faults = new ArrayList<>(List.of(new Fault.Late()));
      fixture.cluster.plan(
          (address, request) ->
              request instanceof ClientRequest.Commit && !faults.isEmpty()
                  ? faults.remove(0)
                  : new Fault.None());
      assertEquals(1, increment(fixture.store));
      List<ClientRequest.Commit> commits = fixture.cluster.requests(ClientRequest.Commit.class);
      assertEquals(2, commits.size());
      assertTrue(!commits.get(0).txn().equals(commits.get(1).txn()), "a retry has a new id");
      assertEquals(
          commits.get(0).txn(),
          fixture.cluster.requests(ClientRequest.AskOutcome.class).get(0).txn());
      assertEquals(1, fixture.cluster.store().commitsApplied());
      assertEquals(new Counters(1, 0, 0, 1, 0), fixture.store.counters());
    }
  }

  @Test
  void aCommitThatWasDurableIsReportedAsDoneWithoutARetry() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.cluster.plan(
          (address, request) ->
              request instanceof ClientRequest.Commit ? new Fault.LoseReply() : new Fault.None());
      assertEquals(1, increment(fixture.store));
      assertEquals(1, fixture.cluster.requests(ClientRequest.Commit.class).size());
      assertEquals(1, value(fixture.store), "the session has seen the settled commit");
    }
  }

  @Test
  void manyThreadsOnOneCounterLoseNothing() {
    EcStoreOptions patient = EcStoreOptions.DEFAULT.deadline(Duration.ofDays(1));
    try (StoreFixture fixture = new StoreFixture(7, patient)) {
      List<CompletableFuture<Long>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(
            fixture.store.transactAsync(
                tx -> {
                  long next = tx.get(COUNTERS, HITS).map(Long::parseLong).orElse(0L) + 1;
                  tx.put(COUNTERS, HITS, Long.toString(next));
                  return next;
                }));
      }
      List<Long> results = all.stream().map(CompletableFuture::join).sorted().toList();
      for (int i = 0; i < 200; i++) {
        assertEquals(i + 1, results.get(i), "each increment saw all before it");
      }
      assertEquals(200, value(fixture.store));
    }
  }

  @Test
  void aConflictComesOutAtTheDeadlineAndNamesTheKey() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      ConflictException conflict =
          assertThrows(
              ConflictException.class,
              () ->
                  fixture.store.execute(
                      tx -> {
                        tx.get(COUNTERS, HITS);
                        fixture.cluster.store().write(COUNTERS.key(HITS), Optional.empty());
                        tx.put(COUNTERS, HITS, "1");
                      }));
      assertEquals(COUNTERS.key(HITS), Bytes.wrap(conflict.keys().start()));
      assertTrue(conflict.getMessage().contains("hits"), conflict.getMessage());
      assertTrue(conflict.version().isPresent());
      assertTrue(fixture.store.counters().retried() > 3);
      assertEquals(
          Long.toString(fixture.store.counters().retried() + 1), conflict.details().get("tries"));
    }
  }
}
