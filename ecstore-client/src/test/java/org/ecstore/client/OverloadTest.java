package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.QuotaExceededException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Tuple;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What an application meets when nodes have more to do than they can; in virtual time. */
class OverloadTest {
  private static final Fault TOO_MUCH =
      new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "too many wait"));

  private final StoreFixture fixture = new StoreFixture(1);
  private final AtomicInteger refused = new AtomicInteger();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Refuses so many requests, all but the questions where keys live. */
  private void overload(int requests) {
    refused.set(0);
    fixture.cluster.plan(
        (address, request) ->
            !(request instanceof ClientRequest.Locate) && refused.getAndIncrement() < requests
                ? TOO_MUCH
                : new Fault.None());
  }

  /** Long before the deadline, and nothing is asked over and over. */
  private void givesUpSoon(Executable work) {
    overload(Integer.MAX_VALUE);
    long start = fixture.time.nanos();
    OverloadedException told = assertThrows(OverloadedException.class, work);
    assertEquals(ErrorCode.OVERLOADED, told.code());
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("overloaded") && message.contains("too many wait"), message);
    Duration took = Duration.ofNanos(fixture.time.nanos() - start);
    assertTrue(took.compareTo(Duration.ofSeconds(4)) < 0, () -> "took " + took);
    assertTrue(refused.get() <= 30, () -> refused + " requests");
  }

  @Test
  void whatIsRefusedEachTimeIsGivenUpAndSaysWhy() {
    givesUpSoon(
        () -> fixture.store.execute(tx -> tx.put(StoreFixture.WORDS, StoreFixture.key(1), "a")));
    givesUpSoon(() -> fixture.store.read(s -> s.get(StoreFixture.WORDS, StoreFixture.key(1))));
    givesUpSoon(() -> fixture.store.read(s -> s.count(StoreFixture.WORDS)));
  }

  @Test
  void whatIsRefusedAFewTimesIsDoneInTheEnd() {
    overload(4);
    fixture.store.execute(tx -> tx.put(StoreFixture.WORDS, StoreFixture.key(1), "a"));
    overload(4);
    assertEquals(
        "a", fixture.store.read(s -> s.get(StoreFixture.WORDS, StoreFixture.key(1))).orElseThrow());
  }

  /** Asking again does not help, and the transaction is not run again. */
  @Test
  void whatIsOverAQuotaIsToldAtOnceWithWhatTheNodeSays() {
    AtomicInteger commits = new AtomicInteger();
    fixture.cluster.plan(
        (address, request) -> {
          if (!(request instanceof ClientRequest.Commit)) {
            return new Fault.None();
          }
          commits.getAndIncrement();
          return new Fault.Instead(
              new ClientReply.Refused(RefusalCode.OVER_QUOTA, "shop holds 3 B of the 2 B"));
        });
    QuotaExceededException told =
        assertThrows(
            QuotaExceededException.class,
            () ->
                fixture.store.execute(tx -> tx.put(StoreFixture.WORDS, StoreFixture.key(1), "a")));
    assertEquals(ErrorCode.OVER_QUOTA, told.code());
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("delete records") && message.contains("3 B of the 2 B"), message);
    assertEquals(1, commits.get());
  }

  /** Each part of a read is refused once: that is one refusal, not one for each range. */
  @Test
  void aReadOfManyRangesIsTriedAgainAsOneOfOne() {
    for (long number = 1; number <= 20; number++) {
      fixture.cluster.store().split(StoreFixture.stored(number));
    }
    List<Tuple> keys = new ArrayList<>();
    for (long number = 1; number <= 20; number++) {
      long one = number;
      keys.add(StoreFixture.key(one));
      fixture.store.execute(tx -> tx.put(StoreFixture.WORDS, StoreFixture.key(one), "v" + one));
    }
    try (ManualSnapshot snapshot = fixture.store.snapshot()) {
      assertEquals("v1", snapshot.get(StoreFixture.WORDS, StoreFixture.key(1)).orElseThrow());
      overload(19);
      assertEquals(20, snapshot.getAll(StoreFixture.WORDS, keys).size());
    }
    assertTrue(refused.get() > 19);
  }
}
