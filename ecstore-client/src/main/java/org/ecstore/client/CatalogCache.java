package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
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

  /** So many tables are in a catalog. */
  static final int TABLES_MAX = 10_000;

  private static final int DECLARED_MAX = 1_000;

  private final Backend backend;
  private final EcStoreOptions options;
  private final ReentrantLock loading = new ReentrantLock();
  private final Map<String, Table<?>> declared = new ConcurrentHashMap<>();
  private volatile CatalogVersion known = CatalogVersion.NONE;
  private volatile boolean loaded;

  CatalogCache(Backend backend, EcStoreOptions options) {
    this.backend = backend;
    this.options = options;
  }

  /** The version that a transaction which begins now is made under. */
  CatalogVersion current() {
    CatalogVersion now = known;
    return now.number() >= backend.catalogVersion() ? now : loadedFrom(now);
  }

  /** The same, read from the store if it never was. */
  CatalogVersion loaded() {
    return loaded ? current() : loadedFrom(known);
  }

  /** The newest version there is, read from the store now. */
  CatalogVersion newest() {
    return loadedFrom(null);
  }

  /** A version that a read by an index may rely on now. */
  CatalogVersion confirmed() {
    CatalogVersion now = loaded();
    return isConfirmed(now) ? now : loadedFrom(now);
  }

  private boolean isConfirmed(CatalogVersion version) {
    long age = backend.cluster().time().nanos() - version.confirmedNanos();
    return age <= CONFIRMED_FOR.toNanos();
  }

  /**
   * Throws if what was read meanwhile may lack what another version has taken away.
   *
   * @throws CatalogChangedException if there is another version: the work is run again
   */
  void requireStill(CatalogVersion version) {
    if (isConfirmed(version)) {
      return;
    }
    CatalogVersion now = confirmed();
    if (now.number() != version.number()) {
      throw new CatalogChangedException(now.number());
    }
  }

  /** Reads the catalog, unless another thread has done so since {@code seen} was all there was. */
  private CatalogVersion loadedFrom(@Nullable CatalogVersion seen) {
    loading.lock();
    try {
      if (seen != null && known != seen && known.number() >= backend.catalogVersion()) {
        return known;
      }
      CatalogVersion read = read();
      known =
          loaded && read.number() == known.number() ? known.confirmed(read.confirmedNanos()) : read;
      loaded = true;
      backend.catalogIsAt(read.number());
      return known;
    } finally {
      loading.unlock();
    }
  }

  private CatalogVersion read() {
    long begun = backend.cluster().time().nanos();
    try (BytesSnapshot snapshot =
        backend.snapshot(
            ReadLevel.STRONG,
            new SessionToken(ReadPoint.ZERO),
            TimeLimit.each(options.deadline()))) {
      Position at = snapshot.point().position();
      BytesScan scan =
          snapshot.scan(
              TupleRange.prefix(CatalogKeys.VERSION).in(CatalogKeys.OWN),
              new ScanShape(false, false, true));
      long number = 0;
      List<TableDescription> tables = new ArrayList<>();
      Bytes version = CatalogKeys.VERSIONS.key(CatalogKeys.VERSION);
      for (BytesScan.Found found = scan.next(TABLES_MAX + 1L);
          found != null && tables.size() < TABLES_MAX;
          found = scan.next(TABLES_MAX)) {
        if (found.key().equals(version)) {
          number = CatalogKeys.VERSIONS.decode(found.key(), found.value());
        } else {
          tables.add(CatalogKeys.TABLES.decode(found.key(), found.value()));
        }
      }
      return CatalogVersion.of(number, tables, at, begun);
    }
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
   * @throws CatalogChangedException if the transaction is of another version
   */
  CatalogVersion readable(BytesReads reads, Index<?> index, @Nullable CatalogVersion pinned) {
    CatalogVersion version = confirmed();
    if (refusal(index, at(reads, version, index)).isPresent()) {
      // What was not to be read a moment ago may be by now.
      version = newest();
    }
    if (pinned != null && pinned.number() != version.number()) {
      throw new CatalogChangedException(version.number());
    }
    Optional<WrongArgumentException> refusal = refusal(index, at(reads, version, index));
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return version;
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
