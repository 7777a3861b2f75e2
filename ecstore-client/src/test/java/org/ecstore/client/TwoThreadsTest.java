package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** A transaction is for one thread at a time, and says so. */
class TwoThreadsTest {
  private static final List<Consumer<ManualTransaction>> USES =
      List.of(
          tx -> tx.get(WORDS, key(1)),
          tx -> tx.put(WORDS, key(1), "other"),
          tx -> tx.insert(WORDS, key(1), "other"),
          tx -> tx.delete(WORDS, key(1)),
          tx -> tx.scan(WORDS, TupleRange.all()).stream().forEach(each -> {}),
          ManualTransaction::commit);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** While one thread waits for what it reads, another does this and that. */
  @Test
  void whatAnotherThreadDoesMeanwhileIsRefused() throws InterruptedException {
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.store.execute(tx -> tx.put(WORDS, key(7), "seven"));
      ManualTransaction tx = fixture.store.begin();
      Cursor<String> scan = tx.scan(WORDS, TupleRange.all()).cursor();
      fixture.cluster.plan(
          (address, request) -> {
            if (request instanceof ClientRequest.Get) {
              asked.countDown();
              await(released);
            }
            return new Fault.None();
          });
      CompletableFuture<Optional<String>> read =
          CompletableFuture.supplyAsync(() -> tx.get(WORDS, key(7)));
      await(asked);
      List<Consumer<ManualTransaction>> uses = new ArrayList<>(USES);
      uses.add(same -> assertFalse(scan.hasNext()));
      for (Consumer<ManualTransaction> use : uses) {
        WrongArgumentException refused =
            assertThrows(WrongArgumentException.class, () -> use.accept(tx));
        assertTrue(refused.getMessage().contains("two threads at once"), refused.getMessage());
        assertTrue(refused.getMessage().contains(Thread.currentThread().getName()));
      }
      released.countDown();
      assertEquals(Optional.of("seven"), read.join());
      // In turn they may, and nothing of what was refused is done.
      CompletableFuture.runAsync(() -> tx.put(WORDS, key(2), "in turn")).join();
      tx.commit();
      fixture.store.execute(
          after -> {
            assertEquals(Optional.of("in turn"), after.get(WORDS, key(2)));
            assertEquals(Optional.empty(), after.get(WORDS, key(1)));
          });
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS), "the other thread has come");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
