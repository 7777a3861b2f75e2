package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.Fault;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Tuple;
import org.ecstore.model.AbortReason;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a session has said of time holds for the catalog too, which is read on the way. */
class IndexDeadlineTest extends IndexedUsers {
  private static final Duration SHORT = Duration.ofSeconds(3);

  private Session hurried;

  @BeforeEach
  void openTheTable() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo", "red"));
    hurried = store.within(SHORT);
    // So that the catalog has to be read again.
    time.advance(CatalogCache.CONFIRMED_FOR.multipliedBy(2).toNanos());
  }

  private void givesUpInTime(Executable work) {
    long start = time.nanos();
    assertThrows(UnavailableException.class, work);
    Duration took = Duration.ofNanos(time.nanos() - start);
    assertTrue(took.compareTo(SHORT) <= 0, "took " + took);
    assertTrue(time.nanos() > start, "it was tried again");
  }

  @Test
  void aReadByIndexIsGivenUp() {
    cluster.plan((address, request) -> new Fault.NotSent());
    givesUpInTime(() -> hurried.read(at -> at.count(byCity, TupleRange.all())));
  }

  @Test
  void aTransactionThatReadsByIndexIsGivenUp() {
    cluster.plan((address, request) -> new Fault.NotSent());
    givesUpInTime(() -> hurried.transact(tx -> tx.count(byCity, TupleRange.all())));
  }

  /** The store says that there is no such version: what there is has to be read. */
  @Test
  void aCommitThatIsRefusedForTheCatalogIsGivenUp() {
    cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit) {
            cluster.plan((other, later) -> new Fault.NotSent());
            return new Fault.Instead(
                new ClientReply.Aborted(new AbortReason.CatalogChanged(0), ReadPoint.ZERO));
          }
          return new Fault.None();
        });
    givesUpInTime(() -> hurried.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Rome"))));
  }
}
