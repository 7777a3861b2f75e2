package org.ecstore.client;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.commit.CommitCounters;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.net.AddressList;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.report.ServiceMeters;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.session.Backend;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.token.PageTokens;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;

/**
 * A store, on a cluster or in this JVM. Make one for an application and share it: it holds the
 * connections, and is safe for use by any number of threads, virtual ones too.
 *
 * <pre>{@code
 * static final Table<String> GREETINGS = Table.of("greetings", Codec.utf8());
 *
 * try (EcStore store = EcStore.connect("localhost")) {
 *   store.execute(tx -> tx.put(GREETINGS, Tuple.of("en"), "Hello"));
 *   Optional<String> hello = store.read(snapshot -> snapshot.get(GREETINGS, Tuple.of("en")));
 * }
 * }</pre>
 *
 * <p>The store is itself a {@link Session} that all its users share: each sees what the others have
 * written. {@link #session()} makes separate ones.
 *
 * @see org.ecstore.key.Tuple keys
 * @see ReadLevel how fresh what is read is
 * @see Isolation what a commit validates
 */
public final class EcStore implements Session, AutoCloseable {
  /** A node that is there greets long before; another is asked sooner. */
  private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofSeconds(2);

  /** A moment that another instance knows of is known everywhere soon after. */
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(2);

  /** How many names {@link #tables} gives at most. */
  public static final int TABLES_MAX = 1_000;

  /**
   * How many applications a store is of at most, that of its options included: each has a
   * connection of its own to each node that it asks ({@link Session#application}).
   */
  public static final int APPLICATIONS_MAX = 16;

  /** For those who have named no port: what they were told may not be where nodes are. */
  private static final String WHERE_ADDRESSES_ARE =
      ": nothing answers at port "
          + AddressList.DEFAULT_PORT
          + ", which nodes have unless told otherwise; the addresses of a cluster's nodes are the"
          + " last line of \"bin/ecstore cluster up\"";

  private final Backend backend;
  private final EcStoreOptions options;
  private final Optional<AsyncThreads> ownThreads;
  private final Applications applications;
  private final OpenStore open;
  private final TypedSession shared;
  private final ExpirySweeper sweeper;
  private final ExpiryTimer expiry;
  private final Catalog catalog;
  private final Objectives objectives;

  private EcStore(
      Connector connector, EcStoreOptions options, ClientTime time, ServiceMeters meters) {
    this.options = options;
    this.applications = new Applications(connector, options, meters);
    this.backend =
        new Backend(
            applications.connector(options.application()),
            time,
            new Backoff(options.backoffFirst().toNanos(), options.backoffMax().toNanos()),
            new SecureRandom().nextLong(),
            new Backend.Settings(
                options.requestTimeout(),
                options.deadline(),
                options.readAhead(),
                options.commitsUnderWay(),
                applications.observer(options.application())));
    this.ownThreads =
        options.executor().isPresent() ? Optional.empty() : Optional.of(AsyncThreads.start());
    RunningWork running = new RunningWork();
    this.open =
        new OpenStore(
            backend,
            options.executor().orElseGet(ownThreads::orElseThrow),
            options
                .tokenKey()
                .map(key -> new PageTokens(key.array()))
                .orElseGet(
                    () ->
                        new PageTokens(
                            new StoredTokenKey(backend, options),
                            time,
                            () ->
                                running.deadline(
                                    Deadline.after(time.nanos(), options.deadline())))),
            running,
            new CatalogCache(backend, options),
            this::sweepFromNowOn,
            applications);
    applications.own(open);
    try {
      this.shared = newSession(options.sessionToken());
    } catch (RuntimeException e) {
      // What was begun by now, as a node in this JVM, ends here: its owner never gets the store.
      backend.close();
      ownThreads.ifPresent(AsyncThreads::close);
      throw e;
    }
    this.sweeper = new ExpirySweeper(newSession(ReadPoint.ZERO), time);
    this.expiry = new ExpiryTimer(sweeper, options.sweepEvery());
    this.catalog = new Catalog(shared, open, options);
    this.objectives = new Objectives(backend, options);
  }

  /**
   * A store on a cluster. Its addresses are the last line of {@code bin/ecstore cluster up}, which
   * may be given as it is; those of nodes that were configured by hand are their {@code
   * listen.advertise} and {@code listen.port}. {@code "localhost"} is the first node of the first
   * cluster on this machine.
   *
   * @param addresses of one or more of its nodes, as {@code host:port,host:port}; a host without a
   *     port is asked at 7420, which a node has that is told no other, and node 1 of {@code cluster
   *     up} if the port is free
   * @throws WrongArgumentException if that is not what they are
   * @throws UnavailableException if none of them answers before the deadline
   */
  public static EcStore connect(String addresses) {
    return connect(addresses, EcStoreOptions.DEFAULT);
  }

  /** As {@link #connect(String)}. */
  public static EcStore connect(String addresses, EcStoreOptions options) {
    List<String> seeds = AddressList.parse(addresses);
    Duration connectTimeout =
        options.requestTimeout().compareTo(CONNECT_TIMEOUT_MAX) < 0
            ? options.requestTimeout()
            : CONNECT_TIMEOUT_MAX;
    ServiceMeters meters = new ServiceMeters(options.reportEvery(), System::nanoTime);
    boolean usual = seeds.stream().anyMatch(seed -> seed.endsWith(":" + AddressList.DEFAULT_PORT));
    return reached(
        new NettyConnector(seeds, connectTimeout, options.application(), meters::reports),
        options,
        ClientTime.system(),
        meters,
        usual ? WHERE_ADDRESSES_ARE : "");
  }

  /**
   * A store in this JVM: one node that keeps its data in a directory, which is made if it is not
   * there. Opens no ports. Needs the artifact ecstore-embedded on the class path, and Java 25: on
   * 17 to 24 that artifact finds a Java 25 on this machine and has the node run on it, as a process
   * beside this one with a port on the loopback address.
   *
   * @throws UnavailableException if it is not there, no Java 25 is, or another process has the
   *     directory open
   */
  public static EcStore open(Path directory) {
    return open(directory, EcStoreOptions.DEFAULT);
  }

  /** As {@link #open(Path)}. */
  public static EcStore open(Path directory, EcStoreOptions options) {
    return over(EmbeddedStores.open(directory), options);
  }

  /** A store over a way to its nodes that the caller gives; it is closed with the store. */
  public static EcStore over(Connector connector, EcStoreOptions options) {
    return over(connector, options, ClientTime.system());
  }

  /**
   * As {@link #over(Connector, EcStoreOptions)}, by a clock of the caller's. For tests of this
   * library under time of their own, and no part of what is promised: {@link ClientTime} may change
   * with any release.
   */
  public static EcStore over(Connector connector, EcStoreOptions options, ClientTime time) {
    return reached(connector, options, time, ServiceMeters.NONE, "");
  }

  private static EcStore reached(
      Connector connector,
      EcStoreOptions options,
      ClientTime time,
      ServiceMeters meters,
      String ifSilent) {
    EcStore store = new EcStore(connector, options, time, meters);
    try {
      if (options.awaitsNodes()) {
        store.backend.reach(ifSilent);
      }
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * Returns once a node has answered, to see that there is one.
   *
   * @param time how long one is asked after another, above zero
   * @throws UnavailableException if none has answered by then
   */
  public void reach(Duration time) {
    backend.reach(EcStoreOptions.positive(time, "time"));
  }

  /** A table of this store, or of any. */
  public <V> Table<V> table(String name, Codec<V> codec) {
    return Table.of(name, codec);
  }

  /**
   * A session of its own that begins where the store is: it has seen what the store's own session
   * has by now, as what was committed by {@link #transact}, and goes on without it.
   */
  public Session session() {
    return newSession(shared.seen());
  }

  /**
   * A session that has seen what another had, here or in another process.
   *
   * @param token of {@link Session#token}
   * @throws WrongArgumentException if it is none
   */
  public Session session(String token) {
    return newSession(Optional.of(token));
  }

  /**
   * As {@link #token}, for a browser to keep, as in a cookie: sealed as the tokens of pages are
   * ({@link EcStoreOptions#tokenKey}), so that its holder can neither read it nor make another.
   */
  public String sealedToken() {
    return open.tokens().formatSession(shared.seen());
  }

  /**
   * The store's own session has seen from now on what it had where a sealed token was made: the
   * user who brings it from another instance of the application finds there what they have written.
   *
   * <p>All users of this store wait for what its session has seen. So only sealed tokens are taken,
   * and where one names a later moment than this store knows of, a node is asked first whether
   * there is one: it may be of before a restore, or of another store with the same key.
   *
   * @throws WrongArgumentException if it is none of {@link #sealedToken}
   * @throws UnavailableException if no node knows of that moment within two seconds; nothing is
   *     changed then
   */
  public void seen(String sealedToken) {
    ReadPoint point = open.tokens().parseSession(sealedToken);
    if (point.position().isAfter(shared.seen().position())) {
      TypedSession other = newSession(point);
      try (ManualSnapshot there = other.with(ReadLevel.SESSION).within(SEEN_WITHIN).snapshot()) {
        shared.seen(other, there.readPoint());
      }
    }
  }

  private TypedSession newSession(Optional<String> token) {
    return newSession(token.map(open.tokens()::point).orElse(ReadPoint.ZERO));
  }

  private TypedSession newSession(ReadPoint start) {
    return new TypedSession(open, options, new SessionToken(start));
  }

  /**
   * Single keys by quorums of copies, outside transactions (rule 13): of the {@code n} copies of a
   * range {@code w} have a write before it is acknowledged, and {@code r} answer a read. W + R at
   * or below N is allowed; such reads say that they may be stale.
   *
   * @throws WrongArgumentException if there can be no such quorum; it says why
   */
  public QuorumStore quorum(int n, int w, int r) {
    return shared.quorum(Quorum.of(n, w, r));
  }

  /** Numbers for ids, taken {@link Sequence#BLOCK} at once; see {@link #sequence(String, int)}. */
  public Sequence sequence(String name) {
    return sequence(name, Sequence.BLOCK);
  }

  /**
   * Numbers for ids. Keep it: each instance takes blocks of its own.
   *
   * @param name of the sequence in this store
   * @param block how many numbers are taken at once, 1 at least
   */
  public Sequence sequence(String name, int block) {
    return new Sequence(newSession(ReadPoint.ZERO), name, block);
  }

  /**
   * The names of the tables that have a record, in order, as the shell shows them: {@link
   * #TABLES_MAX} of them at most. Asks the store once for each.
   */
  public List<String> tables() {
    return shared.tables(TABLES_MAX);
  }

  /** What the store knows of its tables and their indexes. */
  public Catalog catalog() {
    return catalog;
  }

  /** What applications are promised of the store's cluster, and what they have. */
  public Objectives objectives() {
    return objectives;
  }

  /**
   * The changes of a table: every commit that wrote to it, in order, each once.
   *
   * <pre>{@code
   * try (ChangeReader<User> reader = store.changes(USERS).open()) {
   *   reader.next(Duration.ofSeconds(10)).ifPresent(commit -> reindex(commit.changes()));
   * }
   * }</pre>
   */
  public <V> Changes<V> changes(Table<V> table) {
    return new Changes<>(open, shared, options, table);
  }

  private void sweepFromNowOn() {
    expiry.begin();
  }

  /**
   * Deletes the records of all tables that are over ({@link Table#expiringAfter}), now: stores that
   * write such records do so by themselves from time to time. In small transactions with rests
   * between them, so that it takes as long as there is something to delete. What cannot be deleted
   * at the moment is passed by, and the rest is deleted all the same.
   *
   * @return how many
   * @throws org.ecstore.client.error.EcStoreException in the end, if something was passed by; the
   *     next sweep finds it
   */
  public long sweep() {
    ExpirySweeper.Swept swept = sweeper.sweep();
    if (swept.failure().isPresent()) {
      throw swept.failure().get();
    }
    return swept.deleted();
  }

  /** What transactions came to since the store was opened. */
  public Counters counters() {
    CommitCounters counters = backend.counters();
    return new Counters(
        counters.committedCount(),
        counters.abortedCount(),
        counters.retriedCount(),
        counters.settledCount(),
        counters.unknownCount());
  }

  /**
   * Nodes, and ranges with their copies, as one node knows them. Ranges without a primary that
   * lives are among them. For people and for checks; no part of reading or writing.
   */
  public StoreStatus status() {
    return status(Optional.empty());
  }

  /** As {@link #status()}, of one table's ranges. */
  public StoreStatus status(Table<?> table) {
    return status(Optional.of(table.keys()));
  }

  private StoreStatus status(Optional<KeyRange> keys) {
    return StoreStatus.of(backend.status(keys), Instant.now());
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transact(TransactionWork<T, X> work)
      throws X {
    return shared.transact(work);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Committed<T> transactWithCommit(
      TransactionWork<T, X> work) throws X {
    return shared.transactWithCommit(work);
  }

  @Override
  public <T, X extends Exception> T transact(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    return shared.transact(idempotencyKey, codec, work);
  }

  @Override
  public <T, X extends Exception> Once<T> transactOnce(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    return shared.transactOnce(idempotencyKey, codec, work);
  }

  @Override
  public <X extends Exception> boolean execute(String idempotencyKey, TransactionAction<X> action)
      throws X {
    return shared.execute(idempotencyKey, action);
  }

  @Override
  public Session requiresNew() {
    return shared.requiresNew();
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T read(SnapshotWork<T, X> work)
      throws X {
    return shared.read(work);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T readAt(
      String token, SnapshotWork<T, X> work) throws X {
    return shared.readAt(token, work);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> transactAsync(
      TransactionWork<T, ? extends Exception> work) {
    return shared.transactAsync(work);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> readAsync(
      SnapshotWork<T, ? extends Exception> work) {
    return shared.readAsync(work);
  }

  @Override
  public long deleteRange(Table<?> table, TupleRange range) {
    return shared.deleteRange(table, range);
  }

  @Override
  public ManualTransaction begin() {
    return shared.begin();
  }

  @Override
  public ManualTransaction beginWithFirstRead() {
    return shared.beginWithFirstRead();
  }

  @Override
  public ManualTransaction beginWithFirstRead(Duration whole) {
    return shared.beginWithFirstRead(whole);
  }

  @Override
  public ManualSnapshot snapshot() {
    return shared.snapshot();
  }

  @Override
  public ManualSnapshot snapshotAt(String token) {
    return shared.snapshotAt(token);
  }

  @Override
  public Session with(Isolation isolation) {
    return shared.with(isolation);
  }

  @Override
  public Session with(ReadLevel level) {
    return shared.with(level);
  }

  @Override
  public Session within(Duration deadline) {
    return shared.within(deadline);
  }

  @Override
  public Session application(String name) {
    return shared.application(name);
  }

  @Override
  public String token() {
    return shared.token();
  }

  /** Closes the connections. What is under way fails. Closing again does nothing. */
  @Override
  public void close() {
    expiry.close();
    applications.close();
    backend.close();
    ownThreads.ifPresent(AsyncThreads::close);
  }
}
