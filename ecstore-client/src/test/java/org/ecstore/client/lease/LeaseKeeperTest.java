package org.ecstore.client.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {
  private final FakeTime time = new FakeTime(1);
  private final FakeCluster fake = new FakeCluster(time, "n1:1", "n2:1");
  private final Cluster cluster =
      new Cluster(
          fake,
          time,
          new Backoff(1_000_000, 100_000_000),
          Duration.ofSeconds(1),
          StoreObserver.NONE);
  private final LeaseKeeper leases = new LeaseKeeper(cluster);
  private final SessionToken token = new SessionToken(ReadPoint.ZERO);

  @AfterEach
  void close() {
    leases.close();
    cluster.close();
  }

  private Deadline deadline() {
    return Deadline.after(time.nanos(), Duration.ofSeconds(10));
  }

  private Lease begin() {
    return leases.begin(ReadLevel.SESSION, token, deadline());
  }

  private void passThirdOfALease() {
    time.advance(TimeUnit.SECONDS.toNanos(11));
    leases.renewDue();
  }

  /** One that is open long enough to be leased, which is tried once. */
  private Lease grownOld() {
    Lease lease = begin();
    passThirdOfALease();
    return lease;
  }

  @Test
  void aYoungSnapshotIsNotLeased() {
    Lease lease = begin();
    leases.renewDue();
    assertEquals(0, fake.store().openLeases());
    assertEquals(0, fake.requests(ClientRequest.BeginAt.class).size());
    leases.end(lease);
    assertEquals(0, fake.requests(ClientRequest.EndSnapshot.class).size());
    passThirdOfALease();
    assertEquals(0, fake.requests(ClientRequest.BeginAt.class).size());
  }

  @Test
  void oneThatStaysOpenIsLeasedAndRenewedUntilItEnds() {
    Lease lease = grownOld();
    assertEquals(
        List.of(new ClientRequest.BeginAt(lease.point().position())),
        fake.requests(ClientRequest.BeginAt.class));
    assertEquals(1, fake.store().openLeases());
    passThirdOfALease();
    passThirdOfALease();
    assertEquals(2, fake.requests(ClientRequest.RenewSnapshot.class).size());
    leases.end(lease);
    leases.end(lease);
    passThirdOfALease();
    assertEquals(2, fake.requests(ClientRequest.RenewSnapshot.class).size());
    assertEquals(1, fake.requests(ClientRequest.EndSnapshot.class).size());
    assertEquals(0, fake.store().openLeases());
    assertEquals(0, leases.openCount());
  }

  @Test
  void aLeaseLostWithItsConnectionIsTakenElsewhereAtTheSamePosition() {
    Lease lease = grownOld();
    fake.store().dropLeases();
    passThirdOfALease();
    assertEquals(
        List.of(
            new ClientRequest.BeginAt(lease.point().position()),
            new ClientRequest.BeginAt(lease.point().position())),
        fake.requests(ClientRequest.BeginAt.class));
    assertEquals(1, fake.store().openLeases());
    leases.end(lease);
    assertEquals(0, fake.store().openLeases(), "the new lease ends, not the old one");
  }

  /**
   * The node ends what it keeps for a connection with the connection, and a third of it is long.
   */
  @Test
  void leasesOfAConnectionThatBrokeAreTakenAgainAtOnce() {
    Lease lease = grownOld();
    String holder = lease.holder().address();
    fake.store().dropLeases();
    fake.losses.merge(holder, 1L, Long::sum);
    leases.renewDue();
    assertEquals(1, fake.store().openLeases());
    assertEquals(holder, lease.holder().address(), "the node is there again");
    assertEquals(0, fake.requests(ClientRequest.RenewSnapshot.class).size());
    leases.renewDue();
    assertEquals(2, fake.requests(ClientRequest.BeginAt.class).size(), "only once");
  }

  /** Another connection to the node counts from 0, as the first did when the lease was given. */
  @Test
  void leasesOfAConnectionThatBrokeAndWasGivenUpAreTakenAgain() {
    Lease lease = grownOld();
    String holder = lease.holder().address();
    fake.store().dropLeases();
    fake.broken.add(holder);
    for (int i = 0; i < 70; i++) {
      cluster.ask("other" + i + ":1", new ClientRequest.Locate(Bytes.EMPTY), deadline());
    }
    leases.renewDue();
    assertEquals(1, fake.store().openLeases());
    assertEquals(0, fake.requests(ClientRequest.RenewSnapshot.class).size());
    leases.renewDue();
    assertEquals(2, fake.requests(ClientRequest.BeginAt.class).size(), "only once");
  }

  /** With so many connections those that broke are given up while another one is made. */
  @Test
  void aConnectionThatIsMadeForALeaseHasLostNothing() {
    fake.broken.add("other0:1");
    for (int i = 0; i < 64; i++) {
      cluster.ask("other" + i + ":1", new ClientRequest.Locate(Bytes.EMPTY), deadline());
    }
    Lease lease = leases.beginAt(fake.store().durable(), token, deadline());
    assertTrue(lease.holder().isLeased());
    assertEquals(64, fake.openConnections(), "one was given up");
    leases.renewDue();
    assertEquals(1, fake.requests(ClientRequest.BeginAt.class).size());
  }

  /** Between a look at who keeps it and the renewal there may be the answer to an earlier one. */
  @Test
  void aLeaseThatWasRenewedMeanwhileIsNotRenewedByWhatWasKnownBefore() {
    Lease lease = grownOld();
    Lease.Holder seen = lease.holder();
    long later = time.nanos() + Duration.ofMinutes(5).toNanos();
    assertTrue(lease.beginRenewal(seen, true, later));
    ClientReply.Begun begun = new ClientReply.Begun(lease.point(), 77, 30_000);
    assertTrue(lease.renewed("n2:1", begun, 0, time.nanos()));
    assertFalse(lease.beginRenewal(seen, true, later), "another node keeps it");
    assertTrue(lease.beginRenewal(lease.holder(), true, later));
  }

  @Test
  void aSnapshotThatIsNotLeasedLosesNothingWithItsConnection() {
    Lease lease = begin();
    fake.losses.put(lease.holder().address(), 1L);
    leases.renewDue();
    assertEquals(0, fake.requests(ClientRequest.BeginAt.class).size());
  }

  @Test
  void aLeaseThatNoNodeRenewsIsTriedAgain() {
    grownOld();
    fake.plan((address, request) -> new Fault.NotSent());
    passThirdOfALease();
    passThirdOfALease();
    assertEquals(2, fake.requests(ClientRequest.RenewSnapshot.class).size());
    fake.plan((address, request) -> new Fault.None());
    passThirdOfALease();
    passThirdOfALease();
    assertEquals(4, fake.requests(ClientRequest.RenewSnapshot.class).size());
    assertEquals(1, fake.store().openLeases());
  }

  /** The thread that renews them is one for all, and would end with what is thrown at it. */
  @Test
  void whatIsThrownAtARenewalDoesNotEndTheOthers() {
    grownOld();
    fake.plan(
        (address, request) -> {
          throw new IllegalStateException("no way to " + address);
        });
    passThirdOfALease();
    fake.plan((address, request) -> new Fault.None());
    leases.renewDue();
    assertEquals(2, fake.requests(ClientRequest.RenewSnapshot.class).size());
  }

  @Test
  void closingEndsWhatIsOpen() {
    begin();
    grownOld();
    leases.close();
    assertEquals(0, fake.store().openLeases());
  }

  @Test
  void beginAsksTheNextNodeAndGivesUpAtTheDeadline() {
    fake.plan(
        (address, request) -> address.equals("n1:1") ? new Fault.NotSent() : new Fault.None());
    assertEquals("n2:1", begin().holder().address());
    fake.plan((address, request) -> new Fault.LoseRequest());
    assertThrows(UnavailableException.class, this::begin);
  }

  /** Each begin would wait for it otherwise, whichever node it is. */
  @Test
  void aNodeThatSaysNothingIsWaitedForOnceAndNotByEachBegin() {
    for (String silent : List.of("n1:1", "n2:1")) {
      fake.plan(
          (address, request) -> address.equals(silent) ? new Fault.SlowReply() : new Fault.None());
      long start = time.nanos();
      for (int i = 0; i < 20; i++) {
        leases.end(leases.begin(ReadLevel.STRONG, new SessionToken(ReadPoint.ZERO), deadline()));
        time.advance(TimeUnit.MILLISECONDS.toNanos(200));
      }
      Duration waited = Duration.ofNanos(time.nanos() - start).minusMillis(20 * 200);
      assertTrue(waited.compareTo(Duration.ofSeconds(1)) <= 0, "waited " + waited);
    }
  }

  @Test
  void beginAtAForgottenPositionIsTooOld() {
    Position old = begin().point().position();
    fake.store().forgetHistory();
    assertThrows(SnapshotTooOldException.class, () -> leases.beginAt(old, token, deadline()));
  }

  @Test
  void theSessionGoesToTheNodeThatToldItMost() {
    fake.store().forgetHistory();
    Position there = fake.store().durable();
    token.advance(new ReadPoint(there, new MapVersion(1)), "n2:1", 0);
    assertEquals("n2:1", begin().holder().address());
    assertEquals(there, fake.requests(ClientRequest.Begin.class).get(0).token().position());
  }
}
