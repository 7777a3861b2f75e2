package org.ecstore.client.lease;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.Position;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins snapshots, keeps them alive in the background and ends them. A lease lives on one node and
 * one connection; if that node cannot renew it, another is asked to lease the same position. Where
 * none can, reads go on until a node says that the snapshot is too old. Safe for use by several
 * threads.
 */
public final class LeaseKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final Duration TICK = Duration.ofMillis(500);

  private final Cluster cluster;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor keeper;

  public LeaseKeeper(Cluster cluster) {
    this(
        cluster,
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "ecstore-client-leases");
              thread.setDaemon(true);
              return thread;
            }));
  }

  private LeaseKeeper(Cluster cluster, ScheduledThreadPoolExecutor keeper) {
    this.cluster = cluster;
    this.keeper = keeper;
    // The future is the executor's to end.
    var unused =
        keeper.scheduleWithFixedDelay(
            this::renewDue, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** One of other connections to the same nodes, on the same thread, which ends with either. */
  public LeaseKeeper by(Cluster other) {
    return new LeaseKeeper(other, keeper);
  }

  /**
   * A new snapshot, no earlier than the session's token. It is leased when it has been open for a
   * while: until then its versions are kept anyhow (rule 14).
   */
  public Lease begin(ReadLevel level, SessionToken token, Deadline deadline) {
    // What a node has at hand is best asked of the nearest.
    List<String> first =
        level.kind() == ReadLevel.Kind.LOCAL
            ? cluster.copies().byDistance(cluster.addresses(List.of()))
            : token.addresses();
    Lease lease = begin(new ClientRequest.Begin(level, token.point()), first, deadline);
    token.advance(lease.point(), lease.holder().address(), cluster.time().nanos());
    return lease;
  }

  /** A snapshot that a node has begun with its first read. */
  public Lease begun(String address, ClientReply.Begun begun, SessionToken token) {
    long now = cluster.time().nanos();
    Lease lease = new Lease(address, begun, cluster.losses(address), now);
    open.add(lease);
    token.advance(lease.point(), address, now);
    return lease;
  }

  /**
   * A snapshot at a position seen before.
   *
   * @throws org.ecstore.client.error.SnapshotTooOldException if its versions are no longer kept
   */
  public Lease beginAt(Position position, SessionToken token, Deadline deadline) {
    Lease lease = begin(new ClientRequest.BeginAt(position), token.addresses(), deadline);
    if (!lease.point().position().equals(position)) {
      throw Cluster.protocol(
          "a node began at another position", lease.holder().address(), lease.point());
    }
    return lease;
  }

  private Lease begin(ClientRequest request, List<String> first, Deadline deadline) {
    Attempts attempts = new Attempts(cluster, deadline, "begin a snapshot");
    while (true) {
      for (String address : cluster.addresses(first)) {
        long losses = cluster.lossesConnected(address);
        Answer answer = cluster.ask(address, request, deadline);
        if (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Begun begun) {
          Lease lease = new Lease(address, begun, losses, cluster.time().nanos());
          open.add(lease);
          return lease;
        }
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      cluster.moveOn();
      attempts.backOff();
    }
  }

  /** The snapshot is not needed any more. Ending it again does nothing. */
  public void end(Lease lease) {
    if (lease.close()) {
      open.remove(lease);
      Lease.Holder holder = lease.holder();
      if (holder.isLeased()) {
        cluster.send(holder.address(), new ClientRequest.EndSnapshot(holder.id()));
      }
    }
  }

  /**
   * Renews the leases that are due, and those of connections that broke: with them the node has
   * ended what it kept. Does not wait for the answers.
   */
  void renewDue() {
    long now = cluster.time().nanos();
    for (Lease lease : open) {
      Lease.Holder holder = lease.holder();
      boolean isLost = isLost(holder);
      if (lease.beginRenewal(holder, isLost, now)) {
        try {
          renew(lease, holder, isLost);
        } catch (RuntimeException e) {
          // With it the thread would end that renews all others.
          LOG.warn("a snapshot is renewed later", e);
          lease.notRenewed();
        }
      }
    }
  }

  private boolean isLost(Lease.Holder holder) {
    return holder.isLeased() && cluster.losses(holder.address()) != holder.losses();
  }

  private void renew(Lease lease, Lease.Holder holder, boolean isLost) {
    ClientRequest longer =
        holder.isLeased() && !isLost ? new ClientRequest.RenewSnapshot(holder.id()) : again(lease);
    ask(
        lease,
        holder.address(),
        longer,
        () -> {
          String other = other(holder.address());
          ask(
              lease,
              other,
              again(lease),
              () -> {
                cluster.passOver(other);
                lease.notRenewed();
              });
        });
  }

  private static ClientRequest again(Lease lease) {
    return new ClientRequest.BeginAt(lease.point().position());
  }

  /** Has a node lease a snapshot, or renew that. */
  private void ask(Lease lease, String address, ClientRequest request, Runnable ifNot) {
    long losses = cluster.lossesConnected(address);
    var unused =
        cluster
            .start(address, request, timeout())
            .thenAccept(
                answer -> {
                  if (!take(lease, address, answer, losses)) {
                    ifNot.run();
                  }
                });
  }

  private String other(String notAt) {
    return cluster.addresses(List.of()).stream()
        .filter(other -> !other.equals(notAt))
        .findFirst()
        .orElse(notAt);
  }

  private boolean take(Lease lease, String address, Answer answer, long losses) {
    if (!(answer instanceof Answer.Replied replied)
        || !(replied.reply() instanceof ClientReply.Begun begun)
        || !begun.point().position().equals(lease.point().position())) {
      return false;
    }
    if (!lease.renewed(address, begun, losses, cluster.time().nanos())) {
      cluster.send(address, new ClientRequest.EndSnapshot(begun.lease()));
    }
    return true;
  }

  private Duration timeout() {
    return cluster.timeout(Deadline.after(cluster.time().nanos(), Duration.ofSeconds(5)));
  }

  /** Snapshots begun and not ended. */
  int openCount() {
    return open.size();
  }

  @Override
  public void close() {
    keeper.shutdownNow();
    for (Lease lease : open) {
      end(lease);
    }
  }
}
