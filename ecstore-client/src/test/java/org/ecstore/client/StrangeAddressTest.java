package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes tell of one under what this client takes for no address. */
class StrangeAddressTest {
  private static final String STRANGE = "2001:db8::1:7420";

  private final StoreFixture fixture = new StoreFixture(1);

  StrangeAddressTest() {
    fixture.cluster.store().split(stored(5));
    fixture.cluster.store().move(stored(5), STRANGE);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void readThere() {
    fixture.store.within(Duration.ofSeconds(1)).read(at -> at.get(WORDS, key(7)));
  }

  @Test
  void itIsANodeThatCannotBeReached() {
    assertThrows(UnavailableException.class, this::readThere);
    fixture.cluster.store().move(stored(5), "n2:1");
    readThere();
  }

  @Test
  void commitsThereAreNotTakenUntilTheRangeIsElsewhere() {
    AtomicInteger pauses = new AtomicInteger();
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Locate && pauses.incrementAndGet() == 3) {
            fixture.cluster.store().move(stored(5), "n2:1");
          }
          return new Fault.None();
        });
    fixture.store.execute(tx -> tx.put(WORDS, key(7), "there"));
    assertEquals(
        Optional.of("there"), fixture.store.read(at -> at.get(WORDS, key(7))), "committed once");
    assertEquals(1, fixture.cluster.store().commitsApplied());
  }

  /** It is durable, and an exception that says less than that would have it done again. */
  @Test
  void aCommitInDoubtIsSettledThoughItIsAmongThoseToAsk() {
    FakeTime time = new FakeTime(1);
    FakeCluster cluster = new FakeCluster(time, "n1:1", STRANGE, "n3:1");
    AtomicInteger asked = new AtomicInteger();
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit
                ? new Fault.LoseReply()
                : request instanceof ClientRequest.AskOutcome && asked.incrementAndGet() < 8
                    ? new Fault.LoseRequest()
                    : new Fault.None());
    try (EcStore store = EcStore.over(cluster, EcStoreOptions.DEFAULT, time)) {
      store.execute(tx -> tx.put(WORDS, key(1), "once"));
    }
    assertEquals(1, cluster.store().commitsApplied());
    assertEquals(8, asked.get());
  }
}
