package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class CommitsUnderWayTest {
  private static final int AT_ONCE = 3;

  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch underWay = new CountDownLatch(AT_ONCE);

  /** Nodes hold the first commits; the next one is not sent, and says so in half of its time. */
  @Test
  void whatIsTooMuchAtOnceIsNotSent() throws InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (StoreFixture fixture =
        new StoreFixture(1, EcStoreOptions.DEFAULT.commitsUnderWay(AT_ONCE))) {
      EcStore store = fixture.store;
      fixture.cluster.plan(
          (address, request) -> {
            if (request instanceof ClientRequest.Commit) {
              underWay.countDown();
              await(released);
            }
            return new Fault.None();
          });
      List<CompletableFuture<Void>> held = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        long number = i;
        held.add(
            CompletableFuture.runAsync(
                () -> store.execute(tx -> tx.put(WORDS, key(number), "held")), threads));
      }
      await(underWay);
      OverloadedException refused =
          assertThrows(
              OverloadedException.class,
              () ->
                  store
                      .within(Duration.ofMillis(200))
                      .execute(tx -> tx.put(WORDS, key(9), "one more")));
      assertTrue(refused.getMessage().contains("was not sent"), refused.getMessage());
      assertEquals(AT_ONCE, fixture.cluster.requests(ClientRequest.Commit.class).size());
      // Reads need no turn.
      store.read(at -> at.get(WORDS, key(9)));
      CompletableFuture<Void> waits =
          CompletableFuture.runAsync(
              () -> store.execute(tx -> tx.put(WORDS, key(8), "waits")), threads);
      released.countDown();
      held.forEach(CompletableFuture::join);
      waits.join();
      store.execute(tx -> tx.put(WORDS, key(9), "and another"));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aTurnIsGivenBackWhateverBecomesOfTheCommit() {
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.commitsUnderWay(1))) {
      EcStore store = fixture.store;
      for (Fault fault : new Fault[] {new Fault.LoseReply(), new Fault.NotSent()}) {
        fixture.cluster.plan(
            (address, request) ->
                request instanceof ClientRequest.Commit
                        || request instanceof ClientRequest.AskOutcome
                    ? fault
                    : new Fault.None());
        assertThrows(
            RuntimeException.class,
            () ->
                store
                    .within(Duration.ofMillis(300))
                    .execute(tx -> tx.put(WORDS, key(1), "in vain")));
      }
      fixture.cluster.plan((address, request) -> new Fault.None());
      store.execute(tx -> tx.put(WORDS, key(1), "done"));
    }
  }

  @Test
  void noneAtOnceIsRefused() {
    assertThrows(WrongArgumentException.class, () -> EcStoreOptions.DEFAULT.commitsUnderWay(0));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS), "the others have come");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
