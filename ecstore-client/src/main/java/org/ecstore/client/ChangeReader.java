package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.read.ChangeCalls;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.token.ChangeToken;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a table, from {@link Changes#open}. It asks for more when what it has was
 * taken: a reader that is slow holds nothing up. For one thread at a time; any thread may close it.
 *
 * @param <V> the type of the values
 */
public final class ChangeReader<V> implements AutoCloseable {
  /** How long a wait may be. */
  private static final Duration WAIT_MAX = Duration.ofDays(1);

  /** A reader with a name that finds nothing says so often how far it has come. */
  private static final Duration SAVED_EVERY = Duration.ofSeconds(10);

  private final OpenStore store;
  private final EcStoreOptions options;
  private final Table<V> table;
  private final ReaderProgress progress;
  private final boolean withBefore;
  private final ChangeCalls calls;
  private final ReentrantLock using = new ReentrantLock();
  private volatile boolean closed;

  /** How far nodes were asked. */
  private ChangeMark mark;

  /** Up to where all was taken. */
  private Position taken;

  /** Commits that came and were not taken. */
  private final Deque<Raw> ready = new ArrayDeque<>();

  /** A commit of which a part has come. */
  private @Nullable Raw part;

  private long savedNanos;

  /** A commit in bytes. */
  private record Raw(Position number, List<KeyWrite> writes) {}

  ChangeReader(
      OpenStore store,
      EcStoreOptions options,
      Table<V> table,
      ReaderProgress progress,
      Position start,
      boolean withBefore) {
    this.store = store;
    this.options = options;
    this.table = table;
    this.progress = progress;
    this.withBefore = withBefore;
    this.calls = new ChangeCalls(store.backend().cluster(), List.of(table.keys()));
    this.mark = ChangeMark.after(start);
    this.taken = start;
    this.savedNanos = nanos();
  }

  /**
   * The next commit that changed the table; absent if there was none for a while.
   *
   * @param wait zero to a day
   * @throws org.ecstore.client.error.ChangesLostException if the changes that follow are no longer
   *     kept
   * @throws org.ecstore.client.error.UnavailableException if no node could say within {@link
   *     EcStoreOptions#deadline} beyond the wait; the same call goes on where this one was
   * @throws org.ecstore.client.error.OverloadedException if nodes have too many readers: a store
   *     has 32 at one node at most; many users share one
   * @throws WrongArgumentException if the reader has a name
   */
  public Optional<ChangedCommit<V>> next(Duration wait) {
    if (progress.isNamed()) {
      throw new WrongArgumentException(
          "a reader with a name goes on by applyNext, which keeps what was applied", null);
    }
    checkWait(wait);
    return exclusively(
        () -> {
          Optional<Raw> found = found(wait);
          Optional<ChangedCommit<V>> commit = found.map(this::decoded);
          found.ifPresent(this::take);
          return commit;
        });
  }

  /**
   * Does something with the next commit that changed the table, once: in a transaction that also
   * has the store remember it under the reader's name. If the process ends in between, or the
   * commit's answer is lost, the next call finds out whether it was done.
   *
   * <pre>{@code
   * ChangeReader<Order> reader = store.changes(ORDERS).named("totals").open();
   * while (running) {
   *   reader.applyNext(Duration.ofSeconds(10), (tx, commit) -> addUp(tx, commit.changes()));
   * }
   * }</pre>
   *
   * @param wait zero to a day
   * @return whether there was one within the wait
   * @throws X if the work does; nothing is done then, and the next call has the same commit
   * @throws WrongArgumentException if the reader has no name
   * @throws org.ecstore.client.error.ReaderTakenException if another process reads under its name
   *     and has gone on
   * @throws org.ecstore.client.error.ChangesLostException if the changes that follow are no longer
   *     kept
   * @throws org.ecstore.client.error.EcStoreException if it could not be done for now, as nodes are
   *     away or overloaded, or the outcome is not known; the next call goes on
   */
  public <X extends Exception> boolean applyNext(Duration wait, ChangeWork<V, X> work) throws X {
    if (!progress.isNamed()) {
      throw new WrongArgumentException(
          "what was applied is kept under a name: open the changes with named(...)", null);
    }
    checkWait(wait);
    begin();
    try {
      Deadline end = Deadline.after(nanos(), wait);
      Optional<Raw> found = Optional.empty();
      boolean isOver = false;
      while (found.isEmpty() && !isOver) {
        Duration left = Duration.ofNanos(Math.max(0, end.left(nanos())));
        found = found(left.compareTo(SAVED_EVERY) < 0 ? left : SAVED_EVERY);
        if (found.isEmpty()) {
          saveSometimes();
          isOver = end.isOver(nanos());
        }
      }
      if (found.isEmpty()) {
        return false;
      }
      ChangedCommit<V> commit = decoded(found.get());
      progress.save(commit.number(), tx -> work.apply(tx, commit));
      savedNanos = nanos();
      take(found.get());
      return true;
    } finally {
      using.unlock();
    }
  }

  /** So that a table without changes does not leave its reader behind what is kept. */
  private void saveSometimes() {
    boolean isTime = nanos() - savedNanos >= SAVED_EVERY.toNanos();
    if (isTime && !taken.equals(progress.saved())) {
      progress.save(taken, tx -> {});
      savedNanos = nanos();
    }
  }

  /** To go on behind what was taken, here or elsewhere: for {@link Changes#from}. */
  public String token() {
    return exclusively(() -> token(taken));
  }

  private String token(Position after) {
    return ChangeToken.format(after, table.keys(), store.tokens());
  }

  /** Reads no more. Closing again does nothing. */
  @Override
  public void close() {
    closed = true;
    calls.cancel();
  }

  private interface Use<T> {
    T run();
  }

  private <T> T exclusively(Use<T> use) {
    begin();
    try {
      return use.run();
    } finally {
      using.unlock();
    }
  }

  private void begin() {
    if (using.isHeldByCurrentThread() || !using.tryLock()) {
      throw new WrongArgumentException(
          "a reader of changes is for one thread at a time, and not within its own work", null);
    }
    if (closed) {
      using.unlock();
      throw new ClosedException("the reader of changes is closed", null);
    }
  }

  private long nanos() {
    return store.backend().cluster().time().nanos();
  }

  /** The next commit, which stays the next until it is taken. */
  private Optional<Raw> found(Duration wait) {
    Deadline end = Deadline.after(nanos(), wait);
    while (ready.isEmpty()) {
      Duration left = Duration.ofNanos(Math.max(0, end.left(nanos())));
      boolean isCurrent = fetch(left);
      if (ready.isEmpty() && isCurrent && end.isOver(nanos())) {
        return Optional.empty();
      }
    }
    return Optional.of(ready.getFirst());
  }

  private static void checkWait(Duration wait) {
    if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
      throw new WrongArgumentException("a wait is of zero to a day", null, "wait", wait);
    }
  }

  /** Asks for more; whether that is all that there was when it asked. */
  private boolean fetch(Duration wait) {
    ClientReply.ChangesRead read;
    try {
      read = calls.read(mark, wait, options.deadline());
    } catch (RuntimeException e) {
      if (closed) {
        throw new ClosedException("the reader of changes is closed", e);
      }
      throw e;
    }
    for (ClientReply.CommitChanges commit : read.commits()) {
      come(commit);
    }
    mark = read.mark();
    Raw whole = part;
    if (whole != null && whole.number().isAtOrBelow(mark.after())) {
      ready.addLast(whole);
      part = null;
    }
    if (ready.isEmpty()) {
      taken = Position.max(taken, mark.after());
    }
    return read.current();
  }

  /** A part of a commit, or a whole one: that is known by what comes next, or by the mark. */
  private void come(ClientReply.CommitChanges commit) {
    Raw before = part;
    if (before != null && before.number().equals(commit.number())) {
      before.writes().addAll(commit.writes());
      return;
    }
    if (before != null) {
      ready.addLast(before);
    }
    part = new Raw(commit.number(), new ArrayList<>(commit.writes()));
  }

  private void take(Raw commit) {
    ready.removeFirst();
    taken = ready.isEmpty() ? Position.max(commit.number(), mark.after()) : commit.number();
  }

  private ChangedCommit<V> decoded(Raw commit) {
    List<Bytes> made = new ArrayList<>();
    List<Bytes> all = new ArrayList<>();
    for (KeyWrite write : commit.writes()) {
      all.add(write.key());
      if (write.mutation().isOperation()) {
        made.add(write.key());
      }
    }
    Optional<Map<Bytes, Bytes>> after = valuesAt(commit.number().value(), made);
    Optional<Map<Bytes, Bytes>> before =
        valuesAt(commit.number().value() - 1, withBefore ? all : List.of());
    List<Change<V>> changes = new ArrayList<>();
    for (KeyWrite write : commit.writes()) {
      changes.add(change(write, after, before));
    }
    return new ChangedCommit<>(commit.number(), changes, token(commit.number()));
  }

  private Change<V> change(
      KeyWrite write, Optional<Map<Bytes, Bytes>> after, Optional<Map<Bytes, Bytes>> before) {
    Bytes key = write.key();
    Change.Known was = withBefore ? known(before, key) : Change.Known.NOT_ASKED;
    if (write.mutation().isOperation()) {
      return new Change<>(table, key, Change.Kind.OPERATION, known(after, key), was);
    }
    Optional<Bytes> value = write.value();
    Change.Kind kind = value.isPresent() ? Change.Kind.PUT : Change.Kind.DELETE;
    return new Change<>(table, key, kind, Change.Known.of(value.orElse(null)), was);
  }

  private static Change.Known known(Optional<Map<Bytes, Bytes>> values, Bytes key) {
    return values.map(some -> Change.Known.of(some.get(key))).orElse(Change.Known.NOT_KEPT);
  }

  /** What keys were at a position; absent if that is no longer kept. */
  private Optional<Map<Bytes, Bytes>> valuesAt(long position, Collection<Bytes> keys) {
    if (keys.isEmpty()) {
      return Optional.of(Map.of());
    }
    try (BytesSnapshot raw =
        store
            .backend()
            .snapshotAt(
                new Position(position),
                new SessionToken(ReadPoint.ZERO),
                TimeLimit.each(options.deadline()))) {
      return Optional.of(raw.get(keys));
    } catch (SnapshotTooOldException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "changes of " + table + " behind " + taken;
  }
}
