package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.OneForAll;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of the catalog. It reads the whole of it when it must: when a commit of its
 * was refused since there is a newer one, and from time to time while it reads by indexes. Safe for
 * use by several threads.
 *
 * <p>A commit needs nothing but the number of the version: the sequencer refuses it if there is a
 * newer one (rule 27). A read by an index has no commit behind it. So it may be done for {@link
 * #CONFIRMED_FOR} after the client has found the catalog unchanged, at the newest moment of the
 * store; and who takes an index away lets more than that pass, by a clock of its own, between the
 * commit that says so and the first deletion of an entry ({@link Catalog#GRACE}). A snapshot that
 * is older than the version known here asks the catalog as of then.
 */
final class CatalogCache {
  /** For so long a client reads by an index without asking again. */
  static final Duration CONFIRMED_FOR = Duration.ofSeconds(2);

  /**
   * A read that takes longer than who asks for it has time goes on for so long, or for the store's
   * deadline if that is longer.
   */
  private static final Duration GOES_ON = Duration.ofSeconds(30);

  /** So many tables are in a catalog. */
  static final int TABLES_MAX = 10_000;

  private static final int DECLARED_MAX = 1_000;

  private final Backend backend;
  private final EcStoreOptions options;
  private final OneForAll reading;

  /** Shared by all applications of a store. */
  private final Map<String, Table<?>> declared;

  private volatile CatalogVersion known = CatalogVersion.NONE;
  private volatile boolean loaded;

  CatalogCache(Backend backend, EcStoreOptions options) {
    this(backend, options, new ConcurrentHashMap<>());
  }

  private CatalogCache(Backend backend, EcStoreOptions options, Map<String, Table<?>> declared) {
    this.backend = backend;
    this.options = options;
    this.declared = declared;
    Duration most = options.deadline();
    this.reading =
        new OneForAll(
            "the catalog could not be read",
            backend.cluster().time(),
            most.compareTo(GOES_ON) > 0 ? most : GOES_ON);
  }

  /**
   * What another application of the store knows, which reads it by itself: where nodes refuse its
   * requests the others do not wait.
   */
  CatalogCache by(Backend other) {
    return new CatalogCache(other, options, declared);
  }

  /**
   * The version that a transaction which begins now is made under.
   *
   * @param deadline by which it has to be read, if it must be
   */
  CatalogVersion current(Deadline deadline) {
    CatalogVersion now = known;
    return isCurrent(now) ? now : load(deadline, this::isCurrent);
  }

  /** Whether none is newer that this client was told of. */
  private boolean isCurrent(CatalogVersion version) {
    return version.number() >= backend.catalogVersion();
  }

  /** The same, read from the store if it never was. */
  CatalogVersion loaded(Deadline deadline) {
    return loaded ? current(deadline) : load(deadline, version -> loaded);
  }

  /** The newest version there is, read from the store now. */
  CatalogVersion newest() {
    return newest(Deadline.after(nanos(), options.deadline()));
  }

  private CatalogVersion newest(Deadline deadline) {
    return load(deadline, version -> false);
  }

  /**
   * A version that a read by an index may rely on now.
   *
   * @param deadline of who reads, which may be another one than the store's
   */
  CatalogVersion confirmed(Deadline deadline) {
    boolean isRead = loaded;
    CatalogVersion now = known;
    if (!isRead || !isConfirmed(now) || !isCurrent(now)) {
      return load(deadline, this::holds);
    }
    if (age(now) > CONFIRMED_FOR.toNanos() / 2) {
      // One thread asks before the others have to wait for it, and has time for its own left.
      Deadline half = Deadline.after(nanos(), left(deadline).dividedBy(2));
      try {
        return reading.getUnlessAsked(half, this::read).orElse(now);
      } catch (EcStoreException e) {
        // Who has little time is answered by what is known, for as long as that may be relied on.
        if (!isConfirmed(now)) {
          if (e.code() != ErrorCode.UNAVAILABLE || deadline.isOver(nanos())) {
            throw e;
          }
          // The other half is for this, and perhaps it is still being read beside.
          return load(deadline, this::holds);
        }
      }
    }
    return now;
  }

  private boolean holds(CatalogVersion version) {
    return isConfirmed(version) && isCurrent(version);
  }

  private long nanos() {
    return backend.cluster().time().nanos();
  }

  private Duration left(Deadline deadline) {
    return Duration.ofNanos(Math.max(1, deadline.left(nanos())));
  }

  private long age(CatalogVersion version) {
    return nanos() - version.confirmedNanos();
  }

  /** Whether a read by an index may rely on a version still. */
  boolean isConfirmed(CatalogVersion version) {
    return loaded && age(version) <= CONFIRMED_FOR.toNanos();
  }

  /**
   * A commit that was made under a version was refused, for another is the newest. If that is a
   * lower one the record of the version was overwritten, unless it has been written anew since.
   *
   * @param deadline of the work that the commit was of
   */
  void refused(CatalogVersion named, CatalogChangedException refusal, Deadline deadline) {
    if (refusal.version() < named.number()) {
      CatalogVersion now = newest(deadline);
      if (now.number() >= named.number()) {
        throw new OverwrittenException(now.number(), refusal.version());
      }
    }
  }

  /**
   * Reads the catalog, one thread at a time: those who waited for another one take what it has
   * read, if it began behind their asking or is enough.
   *
   * @param enough whether what another has read meanwhile will do
   */
  private CatalogVersion load(Deadline deadline, Predicate<CatalogVersion> enough) {
    long asked = nanos();
    return reading.get(
        deadline,
        () -> {
          if (!loaded) {
            return Optional.empty();
          }
          CatalogVersion now = known;
          // One that was begun since is as good as one's own, also if it was long under way.
          boolean isEnough = enough.test(now) || now.confirmedNanos() - asked > 0;
          return isEnough ? Optional.of(now) : Optional.empty();
        },
        this::read);
  }

  /** The record of the version is not what the store has committed. */
  static final class OverwrittenException extends WrongArgumentException {
    private static final long serialVersionUID = 1L;

    OverwrittenException(long record, long ledger) {
      super(
          "the record of the catalog's version, in the store's own table, was overwritten or"
              + " deleted: store.catalog().open of any table writes it anew",
          null,
          "record",
          record,
          "ledger",
          ledger);
    }
  }

  /**
   * Reads it and keeps it; by one thread at a time.
   *
   * @throws OverwrittenException if it lacks what was told before
   */
  private CatalogVersion read(Deadline deadline) {
    long told = backend.catalogVersion();
    CatalogVersion now = fromStore(deadline);
    if (now.number() < told) {
      throw new OverwrittenException(now.number(), told);
    }
    known = now;
    loaded = true;
    return now;
  }

  /** The whole of it, or the one that is known if that is still the newest. */
  private CatalogVersion fromStore(Deadline deadline) {
    long begun = nanos();
    TimeLimit limit = new TimeLimit(left(deadline), Optional.of(deadline));
    try (BytesSnapshot snapshot =
        backend.snapshot(ReadLevel.STRONG, new SessionToken(ReadPoint.ZERO), limit)) {
      Position at = snapshot.point().position();
      Bytes version = CatalogKeys.VERSIONS.key(CatalogKeys.VERSION);
      CatalogVersion before = known;
      Bytes stored = snapshot.get(List.of(version)).get(version);
      if (loaded
          && stored != null
          && CatalogKeys.VERSIONS.decode(version, stored) == before.number()) {
        return before.confirmed(begun);
      }
      long number = 0;
      List<TableDescription> tables = new ArrayList<>();
      for (BytesScan.Found found : own(snapshot, CatalogKeys.VERSION)) {
        if (found.key().equals(version)) {
          number = CatalogKeys.VERSIONS.decode(found.key(), found.value());
        } else {
          tables.add(CatalogKeys.TABLES.decode(found.key(), found.value()));
        }
      }
      Map<String, ValueSchema> schemas = new HashMap<>();
      for (BytesScan.Found found : own(snapshot, CatalogKeys.VALUES)) {
        String table = CatalogKeys.OWN.tuple(found.key()).string(1);
        // An earlier release drops a table and leaves what its values were.
        if (tables.stream().anyMatch(known -> known.name().equals(table))) {
          schemas.put(table, CatalogKeys.SCHEMAS.decode(found.key(), found.value()));
        }
      }
      return CatalogVersion.of(number, tables, schemas, at, begun);
    }
  }

  /** What the store's own table has under keys that begin with a tuple's elements. */
  private static List<BytesScan.Found> own(BytesSnapshot snapshot, Tuple prefix) {
    BytesScan scan =
        snapshot.scan(
            TupleRange.prefix(prefix).in(CatalogKeys.OWN), new ScanShape(false, false, true));
    List<BytesScan.Found> all = new ArrayList<>();
    for (BytesScan.Found found = scan.next(Long.MAX_VALUE);
        found != null;
        found = scan.next(Long.MAX_VALUE)) {
      all.add(found);
    }
    return all;
  }

  /** A program uses a table: what is deleted from it in the background is deleted by this. */
  void uses(Table<?> table) {
    if (declared.get(table.name()) != table && declared.size() < DECLARED_MAX) {
      declared.put(table.name(), table);
    }
  }

  /** A table as the program has declared it, if it has used it. */
  Optional<Table<?>> declared(String name) {
    return Optional.ofNullable(declared.get(name));
  }

  /**
   * The version by which an index may be read at a snapshot.
   *
   * @param pinned that of the transaction which reads; null for a snapshot
   * @throws WrongArgumentException if it cannot be read; it says what to do
   * @throws CatalogChangedException if the transaction is of another version, or the snapshot of
   *     before the index could be read: the work is run again, later
   */
  CatalogVersion readable(BytesReads reads, Index<?> index, @Nullable CatalogVersion pinned) {
    Deadline deadline = reads.deadline();
    CatalogVersion version = confirmed(deadline);
    if (!version.isReadable(index)) {
      // What was not to be read a moment ago may be by now.
      version = newest(deadline);
    }
    if (pinned != null && pinned.number() != version.number()) {
      throw new CatalogChangedException(version.number());
    }
    Optional<WrongArgumentException> refusal = refusal(index, version.table(index.table().name()));
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    if (refusal(index, at(reads, version, index)).isPresent()) {
      reads.seen(version.since());
      throw new CatalogChangedException(version.number());
    }
    return version;
  }

  /** As {@link #readable}, by what the store says now. */
  CatalogVersion readableNow(BytesReads reads, Index<?> index, @Nullable CatalogVersion pinned) {
    var unused = newest(reads.deadline());
    return readable(reads, index, pinned);
  }

  /** What the catalog says of an index's table as of a snapshot. */
  private static Optional<TableDescription> at(
      BytesReads reads, CatalogVersion version, Index<?> index) {
    String table = index.table().name();
    boolean isKnownThen =
        reads.isAtOrAbove(version.since()) || version.since().isAtOrBelow(reads.point().position());
    return isKnownThen ? version.table(table) : asOf(reads, table);
  }

  private static Optional<TableDescription> asOf(BytesReads reads, String table) {
    Bytes at = CatalogKeys.TABLES.key(CatalogKeys.table(table));
    return Optional.ofNullable(reads.peek(List.of(at)).get(at))
        .map(stored -> CatalogKeys.TABLES.decode(at, stored));
  }

  /** Why an index cannot be read; absent if it can. */
  private static Optional<WrongArgumentException> refusal(
      Index<?> index, Optional<TableDescription> table) {
    Optional<IndexDescription> kept = table.flatMap(one -> one.index(index.name()));
    if (kept.isEmpty()) {
      return refusal(
          index, "the store has no such index: make it with store.catalog().open of its table");
    }
    if (!index.isAs(kept.get())) {
      return Optional.of(CatalogVersion.differs(index, kept.get()));
    }
    if (kept.get().isReadable() && !table.orElseThrow().dropped()) {
      return Optional.empty();
    }
    return refusal(
        index,
        kept.get().state() == IndexDescription.State.BUILDING
            ? "the index is not built yet: build it with store.catalog().build"
            : "the index is being dropped");
  }

  private static Optional<WrongArgumentException> refusal(Index<?> index, String why) {
    return Optional.of(
        new WrongArgumentException(
            why, null, "table", index.table().name(), "index", index.name()));
  }
}
