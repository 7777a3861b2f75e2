package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction that a framework begins in one place and ends in another. */
class BoundTransactionTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    fixture.close();
  }

  private Optional<String> value(long number) {
    return store.read(snapshot -> snapshot.get(WORDS, key(number)));
  }

  @Test
  void whatTheThreadTransactsJoinsWhateverItAsksFor() {
    try (ManualTransaction tx = store.with(Isolation.SNAPSHOT).beginWithFirstRead()) {
      ManualTransaction.Binding binding = tx.bind();
      store.execute(joined -> joined.put(WORDS, key(1), "one"));
      store
          .within(Duration.ofSeconds(1))
          .execute(joined -> assertEquals(Optional.of("one"), joined.get(WORDS, key(1))));
      assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Commit.class));
      tx.commit();
      binding.close();
    }
    assertEquals(Optional.of("one"), value(1));
    store.execute(tx -> tx.put(WORDS, key(2), "by itself"));
    assertEquals(2, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  /** Its own time to be is when it first reads. */
  @Test
  void nothingIsAskedForBeforeTheFirstRead() {
    store.execute(tx -> tx.put(WORDS, key(1), "old"));
    try (ManualTransaction tx = store.beginWithFirstRead()) {
      store.execute(other -> other.put(WORDS, key(1), "new"));
      assertEquals(Optional.of("new"), tx.get(WORDS, key(1)));
    }
  }

  @Test
  void whatHasFailedInItIsNotCommitted() {
    IllegalStateException failure = new IllegalStateException("half way");
    try (ManualTransaction tx = store.begin()) {
      ManualTransaction.Binding binding = tx.bind();
      assertSame(
          failure,
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.execute(
                      joined -> {
                        joined.put(WORDS, key(1), "half");
                        throw failure;
                      })));
      binding.close();
      assertSame(failure, assertThrows(IllegalStateException.class, tx::commit));
      assertThrows(ClosedException.class, () -> tx.get(WORDS, key(1)));
    }
    assertEquals(Optional.empty(), value(1));
  }

  @Test
  void oneThreadHasOneAndEndsIt() {
    try (ManualTransaction first = store.begin();
        ManualTransaction second = store.begin()) {
      ManualTransaction.Binding binding = first.bind();
      assertThrows(WrongArgumentException.class, second::bind);
      CompletionException elsewhere =
          assertThrows(
              CompletionException.class, () -> CompletableFuture.runAsync(binding::close).join());
      assertTrue(elsewhere.getCause() instanceof WrongArgumentException);
      binding.close();
      binding.close();
      ManualTransaction.Binding other = second.bind();
      assertThrows(WrongArgumentException.class, () -> store.transactAsync(tx -> 1));
      other.close();
    }
    store.execute(
        tx -> {
          try (ManualTransaction within = store.begin()) {
            assertThrows(WrongArgumentException.class, within::bind);
          }
        });
  }

  @Test
  void oneThatIsOverBindsNothing() {
    ManualTransaction tx = store.begin();
    tx.rollback();
    assertThrows(ClosedException.class, tx::bind);
    ManualTransaction open = store.begin();
    ManualTransaction.Binding binding = open.bind();
    open.rollback();
    assertThrows(
        ClosedException.class, () -> store.execute(joined -> joined.put(WORDS, key(1), "a")));
    binding.close();
  }

  @Test
  void oneThatIsForReadingRefusesWrites() {
    try (ManualTransaction tx = store.begin()) {
      tx.refuseWrites();
      assertThrows(WrongArgumentException.class, () -> tx.put(WORDS, key(1), "a"));
      assertThrows(WrongArgumentException.class, () -> tx.delete(WORDS, key(1)));
      assertThrows(WrongArgumentException.class, () -> tx.insert(WORDS, key(1), "a"));
      assertEquals(Optional.empty(), tx.get(WORDS, key(1)));
      tx.commit();
    }
    assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Commit.class));
  }
}
