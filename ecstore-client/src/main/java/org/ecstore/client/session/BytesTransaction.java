package org.ecstore.client.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.aggregate.Folding;
import org.ecstore.client.commit.Commits;
import org.ecstore.client.commit.ReadSet;
import org.ecstore.client.commit.WriteBuffer;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observing.Observing;
import org.ecstore.client.read.PageRequest;
import org.ecstore.client.read.Reader;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.read.SubScans;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.AggregateScan;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.scan.MergedScan;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.Mutation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.wire.Limits;

/**
 * A transaction, in bytes: reads at one snapshot with its own writes on top, writes kept here until
 * the commit. Under serializable isolation it remembers what it read from the store (rule 3); if it
 * wrote nothing, its commit asks no node (rule 12). For one thread at a time: two at once are
 * noticed.
 */
public final class BytesTransaction implements BytesReads {
  private enum State {
    OPEN,
    /** Commit was called; whatever came of it, nothing more is done here. */
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  /** What a session has seen so lately is not forgotten anywhere: versions are kept for longer. */
  private static final long SEEN_NANOS_MAX = 2_000_000_000L;

  private final Backend backend;
  private final SessionToken session;
  private final Opening opening;
  private final Isolation isolation;
  private final TimeLimit limit;
  private final Reader reader = Reader.ofPrimaries();
  private final WriteBuffer writes = new WriteBuffer();
  private final ReadSet readSet = new ReadSet();
  private final KnownValues known = new KnownValues();
  private final OneUser user = new OneUser();
  private CatalogStamp catalog;
  private State state = State.OPEN;
  private boolean readOnly;
  private Optional<Commits.Done> done = Optional.empty();

  BytesTransaction(
      Backend backend,
      SessionToken session,
      ReadLevel level,
      Isolation isolation,
      CatalogStamp catalog,
      TimeLimit limit) {
    this.backend = backend;
    this.catalog = catalog;
    this.session = session;
    this.opening = new Opening(backend, reader, level, session);
    this.isolation = isolation;
    this.limit = limit;
  }

  @Override
  public ReadPoint point() {
    return opening.point(deadline());
  }

  /** The commit, once it is durable; absent before, and for a transaction that wrote nothing. */
  public Optional<Commits.Done> done() {
    return done;
  }

  @Override
  public Optional<AnsweredBy> lastRead() {
    return reader.last();
  }

  /** Writes are refused from now on. */
  public void refuseWrites() {
    readOnly = true;
  }

  /** What the commit is to say of the catalog (rule 27). */
  public void catalog(CatalogStamp stamp) {
    catalog = stamp;
  }

  /** Whether a key has been written, a deletion included. */
  public boolean isWritten(Bytes key) {
    return writes.contains(key);
  }

  /** The value that a key was written last; absent if it was deleted, or not written. */
  public Optional<Bytes> written(Bytes key) {
    return writes.value(key);
  }

  /** The values of keys as they are in the store, beneath this transaction's writes; validated. */
  public Map<Bytes, Bytes> stored(List<Bytes> keys) {
    return beneath(keys, isolation == Isolation.SERIALIZABLE);
  }

  @Override
  public Map<Bytes, Bytes> peek(Collection<Bytes> keys) {
    return beneath(List.copyOf(keys), false);
  }

  private Map<Bytes, Bytes> beneath(List<Bytes> keys, boolean recorded) {
    user.begin();
    try {
      checkOpen();
      if (recorded) {
        Commits.Content.checkSize(writes.bytes() + readSet.keyBytesWith(keys));
      }
      Map<Bytes, Bytes> values = fetch(keys);
      if (recorded) {
        keys.forEach(readSet::addKey);
      }
      return values;
    } finally {
      user.end();
    }
  }

  @Override
  public void seen(Position position) {
    opening.seen(position);
  }

  @Override
  public boolean isAtOrAbove(Position position) {
    return opening.isAtOrAbove(position);
  }

  @Override
  public Map<Bytes, Bytes> get(Collection<Bytes> keys) {
    user.begin();
    try {
      return read(keys);
    } finally {
      user.end();
    }
  }

  private Map<Bytes, Bytes> read(Collection<Bytes> keys) {
    checkOpen();
    List<Bytes> elsewhere = new ArrayList<>();
    for (Bytes key : keys) {
      checkKey(key);
      if (!writes.tells(key)) {
        elsewhere.add(key);
      }
    }
    boolean recorded = isolation == Isolation.SERIALIZABLE;
    if (recorded) {
      Commits.Content.checkSize(writes.bytes() + readSet.keyBytesWith(elsewhere));
    }
    Map<Bytes, Bytes> stored = fetch(elsewhere);
    if (recorded) {
      elsewhere.forEach(readSet::addKey);
    }
    Map<Bytes, Bytes> found = new LinkedHashMap<>();
    for (Bytes key : keys) {
      writes
          .over(key, Optional.ofNullable(stored.get(key)))
          .ifPresent(value -> found.put(key, value));
    }
    return found;
  }

  /** The values that the store has of some keys, in the order asked; what is known is not asked. */
  private Map<Bytes, Bytes> fetch(List<Bytes> keys) {
    List<Bytes> unknown = keys.stream().filter(key -> !known.has(key)).toList();
    Map<Bytes, Bytes> found = unknown.isEmpty() ? Map.of() : asked(unknown);
    Map<Bytes, Bytes> values = new LinkedHashMap<>();
    for (Bytes key : keys) {
      Optional.ofNullable(found.get(key))
          .or(() -> known.value(key))
          .ifPresent(value -> values.put(key, value));
    }
    unknown.forEach(key -> known.add(key, Optional.ofNullable(found.get(key))));
    return values;
  }

  private Map<Bytes, Bytes> asked(List<Bytes> keys) {
    return BytesSnapshot.values(
        Observing.operation(
            backend.observer(),
            OperationKind.GET,
            keys.get(0),
            () -> opening.get(keys, deadline())));
  }

  @Override
  public BytesScan scan(KeyRange interval, ScanShape shape) {
    user.begin();
    try {
      return begun(interval, shape);
    } finally {
      user.end();
    }
  }

  private BytesScan begun(KeyRange interval, ScanShape shape) {
    checkOpen();
    ScanShape ordered = new ScanShape(shape.reverse(), shape.keysOnly(), true);
    SubScans pieces = backend.reads().scan(reader, point(), interval, ordered);
    return new MergedScan(
        interval,
        shape.reverse(),
        writes.isEmpty() ? new TreeMap<>() : writes.copyOf(interval),
        isolation == Isolation.SERIALIZABLE ? readSet.addInterval() : null,
        page -> next(interval, pieces, page));
  }

  private ClientReply.Scanned next(KeyRange interval, SubScans pieces, PageRequest page) {
    user.begin();
    try {
      checkOpen();
      return Observing.operation(
          backend.observer(),
          OperationKind.SCAN,
          interval.start(),
          () -> pieces.next(page, deadline()));
    } finally {
      user.end();
    }
  }

  /** Own writes are known here only: with some in the interval its records are looked at here. */
  @Override
  public void aggregate(KeyRange interval, Folding folding, Runnable room) {
    ScanShape shape = ScanShape.of(folding.aggregate());
    if (hasWritten(interval)) {
      BytesScan scan = scan(interval, shape);
      for (BytesScan.Found found = scan.next(Long.MAX_VALUE);
          found != null;
          found = scan.next(Long.MAX_VALUE)) {
        folding.add(found.key(), found.value());
        room.run();
      }
      return;
    }
    SubScans pieces = begunPieces(interval, shape);
    new AggregateScan(interval, pieces, page -> next(interval, pieces, page)).addTo(folding, room);
  }

  private boolean hasWritten(KeyRange interval) {
    user.begin();
    try {
      checkOpen();
      return !writes.isEmpty() && !writes.copyOf(interval).isEmpty();
    } finally {
      user.end();
    }
  }

  /** All of the interval is read from now on: a conflict is one, whether or not it is all seen. */
  private SubScans begunPieces(KeyRange interval, ScanShape shape) {
    user.begin();
    try {
      checkOpen();
      if (isolation == Isolation.SERIALIZABLE) {
        readSet.addInterval().extendTo(interval);
      }
      return backend.reads().scan(reader, point(), interval, shape);
    } finally {
      user.end();
    }
  }

  /** Writes a value. */
  public void put(Bytes key, Bytes value) {
    checkValue(value);
    write(key, new Mutation.Put(value));
  }

  /**
   * Writes a value where there is none: reads absence.
   *
   * @throws AlreadyExistsException if there is one
   */
  public void insert(Bytes key, Bytes value) {
    checkValue(value);
    if (!get(List.of(key)).isEmpty()) {
      throw new AlreadyExistsException("the key is taken", null, "key", KeyText.brief(key));
    }
    write(key, new Mutation.Put(value));
  }

  /**
   * Writes what an operation makes of the value that the commits before this one have left, and of
   * what this transaction has written of the key before. Nothing is read for it, unless it has
   * applied another operation to the key (rule 28).
   *
   * @throws TooLargeException if operands together are more than a value may be
   */
  public void operate(Bytes key, AtomicOp op, Bytes operand) {
    checkValue(operand);
    user.begin();
    try {
      checkWritable(key);
      keep(key, operated(key, op, operand));
    } finally {
      user.end();
    }
  }

  private Mutation operated(Bytes key, AtomicOp op, Bytes operand) {
    Optional<Mutation> before = writes.mutation(key);
    if (before.orElse(null) instanceof Mutation.Operation operation) {
      return operation.op() == op
          ? new Mutation.Operation(op, combined(key, op, operation.operand(), operand))
          : new Mutation.Put(op.apply(Optional.ofNullable(read(List.of(key)).get(key)), operand));
    }
    return before.isPresent()
        ? new Mutation.Put(op.apply(before.get().value(), operand))
        : new Mutation.Operation(op, operand);
  }

  private static Bytes combined(Bytes key, AtomicOp op, Bytes first, Bytes second) {
    try {
      return op.combined(first, second);
    } catch (IllegalArgumentException e) {
      throw new TooLargeException(
          "what the transaction appends to one value is too large",
          e,
          "key",
          KeyText.brief(key),
          "bytes",
          first.length() + second.length(),
          "max",
          Limits.VALUE_BYTES_MAX);
    }
  }

  /** Deletes a key, there or not. */
  public void delete(Bytes key) {
    write(key, Mutation.delete());
  }

  private void write(Bytes key, Mutation mutation) {
    user.begin();
    try {
      checkWritable(key);
      keep(key, mutation);
    } finally {
      user.end();
    }
  }

  private void checkWritable(Bytes key) {
    checkOpen();
    if (readOnly) {
      throw new WrongArgumentException(
          "the transaction is for reading only", null, "key", KeyText.brief(key));
    }
    checkKey(key);
  }

  private void keep(Bytes key, Mutation mutation) {
    Commits.Content.checkSize(writes.bytesWith(key, mutation) + readSet.keyBytes());
    Commits.Content.checkItems(writes.count() + (writes.contains(key) ? 0L : 1L));
    writes.put(key, mutation);
  }

  /** Throws unless a key is within the limit. */
  public static void checkKey(Bytes key) {
    if (key.length() > Limits.KEY_BYTES_MAX) {
      throw new TooLargeException(
          "the key is too large", null, "bytes", key.length(), "max", Limits.KEY_BYTES_MAX);
    }
  }

  private static void checkValue(Bytes value) {
    if (value.length() > Limits.VALUE_BYTES_MAX) {
      throw new TooLargeException(
          "the value is too large", null, "bytes", value.length(), "max", Limits.VALUE_BYTES_MAX);
    }
  }

  /**
   * Commits and returns once the commit is durable. The transaction is over, whatever comes of it.
   *
   * @throws UnknownOutcomeException if the outcome could not be found out before the deadline
   * @throws org.ecstore.client.error.EcStoreException otherwise if nothing was done
   */
  public void commit() {
    user.begin();
    try {
      commitOnce();
    } finally {
      user.end();
    }
  }

  private void commitOnce() {
    checkOpen();
    state = State.ROLLED_BACK;
    try {
      if (!writes.isEmpty()) {
        done = Optional.of(backend.commits().commit(this::content, session, deadline()));
      }
      state = State.COMMITTED;
    } catch (UnknownOutcomeException e) {
      state = State.UNKNOWN;
      throw e;
    } finally {
      opening.end();
    }
  }

  private Commits.Content content() {
    List<KeyRange> intervals = readSet.intervals();
    return new Commits.Content(
        commitPoint(), isolation, readSet.keys(intervals), intervals, writes.toList(), catalog);
  }

  /**
   * Where the transaction is. One that has read nothing is serializable wherever it is, as only
   * what it read is validated (rule 3): so it is at what the session has just seen, which costs
   * nothing.
   */
  private ReadPoint commitPoint() {
    if (!opening.hasBegun() && isolation == Isolation.SERIALIZABLE) {
      long now = backend.cluster().time().nanos();
      Optional<ReadPoint> seen = session.since(now - SEEN_NANOS_MAX);
      if (seen.isPresent()) {
        return seen.get();
      }
    }
    return point();
  }

  /** Drops the writes, if the transaction is not over already. */
  public void rollback() {
    if (state == State.OPEN) {
      state = State.ROLLED_BACK;
      opening.end();
    }
  }

  @Override
  public Deadline deadline() {
    return limit.deadline(backend.cluster().time().nanos());
  }

  /** Throws if it is over. */
  public void checkOpen() {
    backend.cluster().checkOpen();
    if (state != State.OPEN) {
      throw new ClosedException("the transaction is over", null, "state", state);
    }
  }
}
