package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.Fault;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A session's deadline holds for all that it does; in virtual time. */
class DeadlineTest {
  private static final Duration SHORT = Duration.ofSeconds(3);

  private final StoreFixture fixture = new StoreFixture(1);
  private final Session hurried = fixture.store.within(SHORT);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Lets no request through but those that begin a snapshot. */
  private void breakReads() {
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Begin ? new Fault.None() : new Fault.NotSent());
  }

  private void givesUpInTime(Executable work) {
    long start = fixture.time.nanos();
    assertThrows(UnavailableException.class, work);
    Duration took = Duration.ofNanos(fixture.time.nanos() - start);
    assertTrue(took.compareTo(SHORT) <= 0, "took " + took);
    assertTrue(fixture.time.nanos() > start, "it was tried again");
  }

  @Test
  void readsAreGivenUp() {
    breakReads();
    givesUpInTime(() -> hurried.read(s -> s.count(StoreFixture.WORDS)));
  }

  @Test
  void operationsOfAnOpenSnapshotAreGivenUp() {
    try (ManualSnapshot snapshot = hurried.snapshot()) {
      breakReads();
      givesUpInTime(() -> snapshot.get(StoreFixture.WORDS, StoreFixture.key(1)));
    }
  }

  /** In the words of an application: which of its keys, and nothing of what nodes call that. */
  @Test
  void aKeyThatNoNodeLocatesIsNamed() {
    try (ManualSnapshot snapshot = hurried.snapshot()) {
      breakReads();
      UnavailableException failure =
          assertThrows(
              UnavailableException.class,
              () -> snapshot.get(StoreFixture.WORDS, StoreFixture.key(7000)));
      assertEquals("no node could say which node has the key before the deadline", failure.text());
      assertEquals("(\"words\", 7000)", failure.details().get("key"));
      assertTrue(Integer.parseInt(failure.details().get("tries")) > 1, failure::getMessage);
    }
  }

  @Test
  void operationsOfAnOpenTransactionAreGivenUp() {
    try (ManualTransaction tx = hurried.begin()) {
      breakReads();
      givesUpInTime(() -> tx.get(StoreFixture.WORDS, StoreFixture.key(1)));
    }
  }
}
