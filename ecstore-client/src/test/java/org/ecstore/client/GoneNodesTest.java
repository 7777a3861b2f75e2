package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.ecstore.client.fake.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that lives longer than the nodes that it knew, as where these come and go by load. */
class GoneNodesTest {
  private static final int GONE = 300;
  private static final String HERE = "here:1";
  private static final long CONNECT_NANOS = Duration.ofSeconds(2).toNanos();

  private final StoreFixture fixture = new StoreFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** One range goes from node to node; what the client has not asked for yet is at the last. */
  private void goThrough() {
    fixture.cluster.store().split(stored(5));
    fixture.store.execute(tx -> tx.put(WORDS, key(1), "moved"));
    for (int i = 0; i < GONE; i++) {
      String address = "gone" + i + ":1";
      fixture.cluster.store().move(stored(1), address);
      fixture.store.read(at -> at.get(WORDS, key(1)));
      fixture.cluster.broken.add(address);
    }
    fixture.cluster.store().move(stored(1), HERE);
    fixture.cluster.store().move(stored(5), HERE);
    fixture.store.read(at -> at.get(WORDS, key(1)));
  }

  @Test
  void itFindsTheOnesThatAreThereThoughAllItBeganWithAreGone() {
    goThrough();
    fixture.cluster.plan(
        (address, request) -> {
          if (address.equals(HERE)) {
            return new Fault.None();
          }
          fixture.time.advance(CONNECT_NANOS);
          return new Fault.NotSent();
        });
    long start = fixture.time.nanos();
    fixture.store.execute(tx -> tx.put(WORDS, key(7), "found"));
    assertEquals(
        Optional.of("found"),
        fixture.store.<Optional<String>, RuntimeException>read(at -> at.get(WORDS, key(7))));
    Duration took = Duration.ofNanos(fixture.time.nanos() - start);
    assertTrue(took.compareTo(Duration.ofSeconds(10)) <= 0, "took " + took);
  }

  @Test
  void itKeepsFewConnectionsOfThem() {
    goThrough();
    assertTrue(
        fixture.cluster.openConnections() < GONE / 3,
        () -> fixture.cluster.openConnections() + " connections");
  }
}
