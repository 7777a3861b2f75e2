package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observing.Observing;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.RerunRules;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;

/** A session: what it has seen, and the loop that runs work until it is done. */
final class TypedSession implements Session {
  private final OpenStore store;
  private final Backend backend;
  private final EcStoreOptions options;
  private final SessionToken seen;
  private final boolean requiresNew;

  TypedSession(OpenStore store, EcStoreOptions options, SessionToken seen) {
    this(store, options, seen, false);
  }

  private TypedSession(
      OpenStore store, EcStoreOptions options, SessionToken seen, boolean requiresNew) {
    this.store = store;
    this.backend = store.backend();
    this.options = options;
    this.seen = seen;
    this.requiresNew = requiresNew;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transact(TransactionWork<T, X> work)
      throws X {
    return joins() ? store.running().join(work, options, seen) : untilCommitted(work).result();
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Committed<T> transactWithCommit(
      TransactionWork<T, X> work) throws X {
    mustNotJoin("transactWithCommit");
    return untilCommitted(work);
  }

  private void mustNotJoin(String what) {
    if (!requiresNew) {
      store.running().mustNotRun(what);
    }
  }

  @Override
  public <T, X extends Exception> T transact(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    return transactOnce(idempotencyKey, codec, work).result();
  }

  @Override
  public <T, X extends Exception> Once<T> transactOnce(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    return new OnceWork(this, options.idempotencyRetention()).run(idempotencyKey, codec, work);
  }

  @Override
  public <X extends Exception> boolean execute(String idempotencyKey, TransactionAction<X> action)
      throws X {
    return new OnceWork(this, options.idempotencyRetention()).isFirst(idempotencyKey, action);
  }

  private <T extends @Nullable Object, X extends Exception> Committed<T> untilCommitted(
      TransactionWork<T, X> work) throws X {
    return Observing.operation(backend.observer(), OperationKind.TRANSACT, () -> tried(work));
  }

  private <T extends @Nullable Object, X extends Exception> Committed<T> tried(
      TransactionWork<T, X> work) throws X {
    Deadline deadline = deadline();
    RerunRules rules = new RerunRules(backend.cluster().backoff(), deadline);
    while (true) {
      CatalogVersion catalog;
      try {
        catalog = store.catalog().current(deadline);
      } catch (EcStoreException failure) {
        waitOrThrow(rules, failure);
        continue;
      }
      BytesTransaction raw =
          backend.transaction(
              options.readLevel(),
              options.isolation(),
              seen,
              CatalogStamp.at(catalog.number()),
              new TimeLimit(options.deadline(), Optional.of(deadline)));
      TypedTransaction transaction = new TypedTransaction(raw, store, catalog, seen);
      try (RunningWork.Work running = store.running().begin(transaction, options, seen)) {
        T result = work.run(transaction);
        running.requireWhole();
        transaction.commit();
        return new Committed<>(result, raw.done().map(Commits.Done::number));
      } catch (EcStoreException failure) {
        raw.rollback();
        waitOrThrow(rules, better(failure, catalog, deadline));
        backend.counters().retried();
      } finally {
        raw.rollback();
      }
    }
  }

  /** Why a try has failed, by what the store says where it failed for the catalog. */
  private EcStoreException better(
      EcStoreException failure, CatalogVersion catalog, Deadline deadline) {
    if (failure instanceof CatalogChangedException changed) {
      try {
        store.catalog().refused(catalog, changed, deadline);
      } catch (EcStoreException e) {
        return e;
      }
    }
    return failure;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T read(SnapshotWork<T, X> work)
      throws X {
    return Observing.operation(backend.observer(), OperationKind.READ, () -> readUntilDone(work));
  }

  private <T extends @Nullable Object, X extends Exception> T readUntilDone(SnapshotWork<T, X> work)
      throws X {
    Deadline deadline = deadline();
    RerunRules rules = new RerunRules(backend.cluster().backoff(), deadline);
    TimeLimit limit = each();
    while (true) {
      try (BytesSnapshot raw = backend.snapshot(options.readLevel(), seen, limit)) {
        return work.run(new TypedSnapshot(raw, store));
      } catch (EcStoreException failure) {
        waitOrThrow(rules, failure);
        limit = new TimeLimit(options.deadline(), Optional.of(deadline));
      }
    }
  }

  /** A long scan takes many operations: only each of them is bounded. */
  private TimeLimit each() {
    return TimeLimit.each(options.deadline());
  }

  private Duration left(Deadline deadline) {
    return Duration.ofNanos(Math.max(1, deadline.left(backend.cluster().time().nanos())));
  }

  private Deadline deadline() {
    return Deadline.after(backend.cluster().time().nanos(), options.deadline());
  }

  /** Returns after the back-off if the work is to run again. */
  private void waitOrThrow(RerunRules rules, EcStoreException failure) {
    var time = backend.cluster().time();
    OptionalLong delay = rules.afterFailure(failure, time.nanos(), time.random());
    if (delay.isEmpty() || !time.pause(delay.getAsLong())) {
      if (rules.failures() > 1) {
        failure.tries(rules.failures());
      }
      throw failure;
    }
    backend.observer().rerun(failure);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T readAt(
      String token, SnapshotWork<T, X> work) throws X {
    try (ManualSnapshot snapshot = snapshotAt(token)) {
      return work.run(snapshot);
    }
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> transactAsync(
      TransactionWork<T, ? extends Exception> work) {
    mustNotJoin("transactAsync");
    return start(() -> untilCommitted(work).result());
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> readAsync(
      SnapshotWork<T, ? extends Exception> work) {
    return start(() -> read(work));
  }

  private interface Blocking<T extends @Nullable Object> {
    T run() throws Exception;
  }

  private <T extends @Nullable Object> CompletableFuture<T> start(Blocking<T> blocking) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      store
          .executor()
          .execute(
              () -> {
                try {
                  future.complete(blocking.run());
                } catch (Throwable failure) {
                  future.completeExceptionally(failure);
                }
              });
    } catch (RejectedExecutionException e) {
      backend.cluster().checkOpen();
      throw new UnavailableException("too much asynchronous work is waiting", e);
    }
    return future;
  }

  @Override
  public long deleteRange(Table<?> table, TupleRange range) {
    mustNotJoin("deleteRange of a session, which has many transactions,");
    return RangeDeletion.run(this, table, range);
  }

  /** Whether what is begun now would be part of another transaction. */
  private boolean joins() {
    return !requiresNew && isWithinWork();
  }

  /** Whether the calling thread runs work in a transaction of the store. */
  boolean isWithinWork() {
    return store.running().isRunning();
  }

  @Override
  public ManualTransaction begin() {
    TypedTransaction transaction = beginWithFirstRead();
    // Begun when it is asked for, and not when it happens to be read.
    var unused = transaction.readPoint();
    return transaction;
  }

  @Override
  public TypedTransaction beginWithFirstRead() {
    return begun(store.catalog().loaded(deadline()), each());
  }

  @Override
  public TypedTransaction beginWithFirstRead(Duration whole) {
    Deadline deadline =
        Deadline.after(backend.cluster().time().nanos(), EcStoreOptions.positive(whole, "whole"));
    return begun(
        store.catalog().loaded(deadline), new TimeLimit(options.deadline(), Optional.of(deadline)));
  }

  private TypedTransaction begun(CatalogVersion catalog, TimeLimit limit) {
    BytesTransaction raw =
        backend.transaction(
            options.readLevel(),
            options.isolation(),
            seen,
            CatalogStamp.at(catalog.number()),
            limit);
    return new TypedTransaction(raw, store, catalog, seen);
  }

  @Override
  public ManualSnapshot snapshot() {
    BytesSnapshot raw = backend.snapshot(options.readLevel(), seen, each());
    var unused = raw.point();
    return new TypedSnapshot(raw, store);
  }

  @Override
  public ManualSnapshot snapshotAt(String token) {
    Position position = store.tokens().point(token).position();
    return new TypedSnapshot(backend.snapshotAt(position, seen, each()), store);
  }

  /** This session, its transactions validated whatever those of the store are. */
  TypedSession serializable() {
    return with(options.isolation(Isolation.SERIALIZABLE).readLevel(ReadLevel.SESSION));
  }

  /**
   * Until when an operation of this session may take that begins now and is part of no transaction;
   * within the work of one no longer than that may.
   */
  Deadline operationDeadline() {
    return store.running().deadline(deadline());
  }

  /** This session, with a part of what is left until a deadline for each operation. */
  TypedSession part(Deadline deadline, int parts) {
    long nanos = left(deadline).toNanos() / parts;
    return with(options.deadline(Duration.ofNanos(Math.max(1, nanos))));
  }

  /** The clock by which deadlines are. */
  ClientTime time() {
    return backend.cluster().time();
  }

  /** Takes in what this session sees. */
  SessionToken seenToken() {
    return seen;
  }

  /** What this session has seen. */
  ReadPoint seen() {
    return seen.point();
  }

  /** This session has seen what another one has, which a node has told that one. */
  void seen(TypedSession other, ReadPoint point) {
    if (point.position().isAfter(seen.point().position())) {
      String address = other.seen.addresses().stream().findFirst().orElse("");
      seen.advance(point, address, backend.cluster().time().nanos());
    }
  }

  /** Names of tables that have a record: the first of its keys says which is looked for next. */
  List<String> tables(int max) {
    List<String> names = new ArrayList<>();
    try (BytesSnapshot raw = backend.snapshot(options.readLevel(), seen, each())) {
      Optional<KeyRange> rest = Optional.of(KeyRange.from(Bytes.EMPTY));
      while (rest.isPresent() && names.size() < max) {
        BytesScan.Found found = raw.scan(rest.get(), new ScanShape(false, true, true)).next(1);
        if (found == null) {
          return names;
        }
        Optional<String> name = Table.nameIn(found.key());
        name.ifPresent(names::add);
        rest =
            name.map(text -> Tuple.of(text).prefixRange().end())
                .orElse(Optional.of(found.key().successor()))
                .map(KeyRange::from);
      }
    }
    return names;
  }

  /** Quorums of copies; commits advance what this session has seen. */
  QuorumStore quorum(Quorum quorum) {
    return new QuorumStore(store, options, seen, quorum);
  }

  @Override
  public Session with(Isolation isolation) {
    return with(options.isolation(isolation));
  }

  @Override
  public Session with(ReadLevel level) {
    return with(options.readLevel(level));
  }

  @Override
  public Session within(Duration deadline) {
    return with(options.deadline(deadline));
  }

  /**
   * As deletions of what is over are done: validated whatever the store's own transactions are, and
   * each read no older than the one before.
   */
  TypedSession sweeping(Duration deadline) {
    return with(
        options.deadline(deadline).isolation(Isolation.SERIALIZABLE).readLevel(ReadLevel.SESSION));
  }

  @Override
  public Session application(String name) {
    EcStoreOptions named = options.application(name);
    return new TypedSession(store.of(name), named, seen, requiresNew);
  }

  private TypedSession with(EcStoreOptions other) {
    return new TypedSession(store, other, seen, requiresNew);
  }

  @Override
  public TypedSession requiresNew() {
    return new TypedSession(store, options, seen, true);
  }

  @Override
  public String token() {
    return Tokens.format(seen.point());
  }
}
