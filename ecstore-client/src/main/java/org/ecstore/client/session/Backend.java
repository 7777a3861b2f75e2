package org.ecstore.client.session;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.ecstore.client.commit.CommitCounters;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.commit.CommitsUnderWay;
import org.ecstore.client.lease.Lease;
import org.ecstore.client.lease.LeaseKeeper;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.read.QuorumCalls;
import org.ecstore.client.read.ReadAhead;
import org.ecstore.client.read.Reader;
import org.ecstore.client.read.RoutedReads;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.spi.Connector;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;

/** All of a store that does not know of tables and types. Safe for use by several threads. */
public final class Backend implements AutoCloseable {
  private final Cluster cluster;
  private final RoutedReads reads;
  private final LeaseKeeper leases;
  private final Commits commits;
  private final QuorumCalls quorums;
  private final Settings settings;
  private final StoreObserver observer;

  /** Shared by all applications of a store, as what follows. */
  private final CommitCounters counters;

  private final Supplier<TxnId> ids;
  private final AtomicLong catalogVersion;

  /**
   * What a client has of its own.
   *
   * @param requestTimeout how long one request to one node may take
   * @param operationTime how long an operation of the store itself may take, its retries included
   * @param ahead how far long scans read ahead
   * @param commitsMax how many commits are under way at once
   * @param observer is told what is done
   */
  public record Settings(
      Duration requestTimeout,
      Duration operationTime,
      ReadAhead ahead,
      int commitsMax,
      StoreObserver observer) {}

  /** As the other, with the usual bounds. */
  public Backend(
      Connector connector,
      ClientTime time,
      Backoff backoff,
      Duration requestTimeout,
      Duration operationTime,
      long clientBits) {
    this(
        connector,
        time,
        backoff,
        clientBits,
        new Settings(
            requestTimeout,
            operationTime,
            ReadAhead.DEFAULT,
            CommitsUnderWay.MAX,
            StoreObserver.NONE));
  }

  /**
   * @param clientBits 64 random bits that name this client in transaction ids
   */
  public Backend(
      Connector connector, ClientTime time, Backoff backoff, long clientBits, Settings settings) {
    this.settings = settings;
    this.observer = settings.observer();
    this.counters = new CommitCounters();
    AtomicLong sequence = new AtomicLong();
    this.ids = () -> new TxnId(clientBits, sequence.incrementAndGet());
    this.catalogVersion = new AtomicLong();
    this.cluster = new Cluster(connector, time, backoff, settings.requestTimeout(), observer);
    this.reads = new RoutedReads(cluster, settings.ahead());
    this.leases = new LeaseKeeper(cluster);
    this.commits = newCommits();
    this.quorums = new QuorumCalls(cluster);
  }

  private Backend(Backend other, Connector connector, StoreObserver observer) {
    this.settings = other.settings;
    this.observer = observer;
    this.counters = other.counters;
    this.ids = other.ids;
    this.catalogVersion = other.catalogVersion;
    this.cluster = other.cluster.by(connector, observer);
    this.reads = new RoutedReads(cluster, settings.ahead());
    this.leases = other.leases.by(cluster);
    this.commits = newCommits();
    this.quorums = new QuorumCalls(cluster);
  }

  private Commits newCommits() {
    return new Commits(
        cluster, counters, new CommitsUnderWay(settings.commitsMax()), ids, this::catalogIsAt);
  }

  /**
   * As this one, by connections of their own, as of another application: with as many commits under
   * way beside those of this one, and snapshots that only these connections know.
   *
   * @param itsObserver is told what is done by it
   */
  public Backend by(Connector connector, StoreObserver itsObserver) {
    return new Backend(this, connector, itsObserver);
  }

  /**
   * Ends the snapshots of one that was made by {@link #by}: its connections are closed with those
   * that it was made of.
   */
  public void endSnapshots() {
    leases.close();
  }

  /** The nodes and routes. */
  public Cluster cluster() {
    return cluster;
  }

  RoutedReads reads() {
    return reads;
  }

  LeaseKeeper leases() {
    return leases;
  }

  Commits commits() {
    return commits;
  }

  /** Reads and waits of quorums. */
  public QuorumCalls quorums() {
    return quorums;
  }

  /** Is told what is done. */
  public StoreObserver observer() {
    return observer;
  }

  /** What transactions came to. */
  public CommitCounters counters() {
    return counters;
  }

  /** The newest version of the catalog that this client was told of; 0 if of none. */
  public long catalogVersion() {
    return catalogVersion.get();
  }

  /** A version of the catalog was told, or read. */
  public void catalogIsAt(long version) {
    catalogVersion.accumulateAndGet(version, Math::max);
  }

  /** When an operation of the store itself that begins now must be done. */
  private Deadline operationDeadline() {
    return Deadline.after(cluster.time().nanos(), settings.operationTime());
  }

  /** As {@link #reach(String)}, within a time of its own. */
  public void reach(Duration time) {
    cluster.reach(Deadline.after(cluster.time().nanos(), time), "");
  }

  /**
   * Returns once a node has answered, to see that there is one to talk to.
   *
   * @param ifSilent what the exception ends with if no node says anything; empty for nothing
   */
  public void reach(String ifSilent) {
    cluster.reach(operationDeadline(), ifSilent);
  }

  /** Nodes and ranges, as one node knows them. */
  public ClientReply.StatusReport status(Optional<KeyRange> keys) {
    return cluster.status(keys, operationDeadline());
  }

  /** A snapshot no earlier than the session's token, to begin with its first read. */
  public BytesSnapshot snapshot(ReadLevel level, SessionToken session, TimeLimit limit) {
    cluster.checkOpen();
    Reader reader = Reader.ofAnyCopy();
    return new BytesSnapshot(this, new Opening(this, reader, level, session), reader, limit);
  }

  /** Begins a snapshot at a position. */
  public BytesSnapshot snapshotAt(Position position, SessionToken session, TimeLimit limit) {
    cluster.checkOpen();
    Deadline deadline = limit.deadline(cluster.time().nanos());
    Reader reader = Reader.ofAnyCopy();
    Lease lease = leases.beginAt(position, session, deadline);
    return new BytesSnapshot(this, Opening.of(this, reader, session, lease), reader, limit);
  }

  /**
   * A transaction, whose snapshot begins with its first read, for keys that no catalog speaks of:
   * the store's own.
   */
  public BytesTransaction transaction(
      ReadLevel level, Isolation isolation, SessionToken session, TimeLimit limit) {
    return transaction(level, isolation, session, CatalogStamp.at(catalogVersion()), limit);
  }

  /** A transaction, whose snapshot begins with its first read. */
  public BytesTransaction transaction(
      ReadLevel level,
      Isolation isolation,
      SessionToken session,
      CatalogStamp catalog,
      TimeLimit limit) {
    cluster.checkOpen();
    return new BytesTransaction(this, session, level, isolation, catalog, limit);
  }

  @Override
  public void close() {
    leases.close();
    cluster.close();
  }
}
