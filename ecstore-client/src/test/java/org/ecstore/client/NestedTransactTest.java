package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** A transaction within another is meant, or refused. */
class NestedTransactTest {
  private static Optional<String> value(EcStore store, long number) {
    return store.read(snapshot -> snapshot.get(WORDS, key(number)));
  }

  @Test
  void transactWithinTransactIsRefusedAndNothingOfEitherIsDone() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      for (Session inner : new Session[] {store, store.session(), store.with(Isolation.SNAPSHOT)}) {
        WrongArgumentException refused =
            assertThrows(
                WrongArgumentException.class,
                () ->
                    store.execute(
                        tx -> {
                          tx.put(WORDS, key(1), "outer");
                          inner.execute(within -> within.put(WORDS, key(2), "inner"));
                        }));
        assertTrue(refused.getMessage().contains("hand the Transaction on"), refused.getMessage());
      }
      assertEquals(Optional.empty(), value(store, 1));
      assertEquals(Optional.empty(), value(store, 2));
      store.execute(tx -> tx.put(WORDS, key(1), "after it the thread may begin another"));
      assertTrue(value(store, 1).isPresent());
    }
  }

  @Test
  void oneOnAnotherThreadOrByQuorumIsRefusedTooAndNothingIsSent() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      QuorumStore quorum = store.quorum(3, 2, 2);
      List<TransactionAction<RuntimeException>> inner =
          List.of(
              tx ->
                  store
                      .transactAsync(within -> within.get(WORDS, key(2)))
                      .completeExceptionally(new AssertionError("it has begun")),
              tx -> quorum.put(WORDS, key(2), "inner"),
              tx -> quorum.delete(WORDS, key(2)));
      for (TransactionAction<RuntimeException> each : inner) {
        WrongArgumentException refused =
            assertThrows(WrongArgumentException.class, () -> store.execute(each));
        assertTrue(refused.getMessage().contains("hand the Transaction on"), refused.getMessage());
      }
      assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Commit.class));
      assertEquals("after it", store.transactAsync(tx -> "after it").join());
    }
  }

  @Test
  void whatIsMeantToBeOfItsOwnIsDone() {
    try (StoreFixture one = new StoreFixture(1);
        StoreFixture other = new StoreFixture(2)) {
      assertThrows(
          ArithmeticException.class,
          () ->
              one.store.execute(
                  tx -> {
                    tx.put(WORDS, key(1), "outer");
                    try (ManualTransaction audit = one.store.begin()) {
                      audit.put(WORDS, key(2), "audit");
                      audit.commit();
                    }
                    other.store.execute(there -> there.put(WORDS, key(3), "another store"));
                    throw new ArithmeticException("the outer one fails");
                  }));
      assertEquals(Optional.empty(), value(one.store, 1));
      assertEquals(Optional.of("audit"), value(one.store, 2));
      assertEquals(Optional.of("another store"), value(other.store, 3));
    }
  }
}
