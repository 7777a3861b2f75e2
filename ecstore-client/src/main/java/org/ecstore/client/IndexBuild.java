package org.ecstore.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.key.Tuple;

/**
 * Enters the records of a table in an index that is written already: those up to the last key there
 * is as it begins, for what comes later is entered by its writers. In steps: which records are next
 * is seen in a snapshot, and they are read and entered by a transaction, so that a record which is
 * written meanwhile is a conflict; then the next try has fewer. With each step it notes how far it
 * is. A step is committed only while the index is being built, and by this build.
 *
 * @param <V> the type of the table's values
 */
final class IndexBuild<V> {
  /** Records of one step, at most: few enough that a step is hardly in the way of writers. */
  static final int AT_ONCE = 200;

  private static final long BYTES_AT_ONCE = 4L << 20;
  private static final int READ_AT_ONCE = 16;

  private static final Duration BEAT = Duration.ofSeconds(2);

  /** Without a step for so long it gives up. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Another build of the index has begun since, and goes on. */
  static final class OvertakenException extends WrongArgumentException {
    private static final long serialVersionUID = 1L;

    OvertakenException(Index<?> index) {
      super(
          "another build of the index is under way, and goes on instead of this one",
          null,
          "table",
          index.table().name(),
          "index",
          index.name());
    }
  }

  private final TypedSession session;
  private final ClientTime time;
  private final Index<V> index;
  private final LongConsumer progress;
  private final UUID id = UUID.randomUUID();
  private final Tuple noted;
  private long lastBeatNanos;

  IndexBuild(TypedSession session, OpenStore store, Index<V> index, LongConsumer progress) {
    this.session = session;
    this.time = store.backend().cluster().time();
    this.index = index;
    this.progress = progress;
    this.noted = CatalogKeys.build(index.table().name(), index.name());
  }

  /** Goes on where the last one has stopped. Returns how many records all have looked at. */
  long run() {
    BuildState state = session.transact(tx -> takeOver((TypedTransaction) tx));
    Optional<Tuple> last =
        session.read(at -> at.scan(index.table()).reverse().limit(1).keys().findFirst());
    int atOnce = 1;
    Deadline deadline = Deadline.after(time.nanos(), PATIENCE);
    while (last.isPresent()) {
      long begun = time.nanos();
      BuildState before = state;
      int most = atOnce;
      List<Tuple> keys = session.read(at -> next(at, before, last.get(), most));
      if (keys.isEmpty()) {
        return state.records();
      }
      try {
        state = stepOnce(before, keys);
        atOnce = Math.min(AT_ONCE, 2 * atOnce);
        deadline = Deadline.after(time.nanos(), PATIENCE);
        progress.accept(state.records());
      } catch (EcStoreException e) {
        // Its records are written all the time, or are large, or one of their ranges is away.
        if (!mayPass(e, atOnce) || deadline.isOver(time.nanos())) {
          throw e;
        }
        atOnce = Math.max(1, atOnce / 2);
      }
      if (!time.pause(Math.min(time.nanos() - begun, 1_000_000_000L))) {
        throw new WrongArgumentException(
            "the build was interrupted: the same call goes on with it",
            null,
            "index",
            index.name());
      }
    }
    return state.records();
  }

  /** Whether a step, of so many records, may yet be done, or one of fewer. */
  static boolean mayPass(EcStoreException failure, int atOnce) {
    ErrorCode code = failure.code();
    return code == ErrorCode.CONFLICT
        || code == ErrorCode.UNAVAILABLE
        || code == ErrorCode.OVERLOADED
        || code == ErrorCode.SNAPSHOT_TOO_OLD
        || code == ErrorCode.UNKNOWN_OUTCOME
        || (code == ErrorCode.TOO_LARGE && atOnce > 1);
  }

  /** The next keys behind those that are done. */
  private List<Tuple> next(Snapshot at, BuildState done, Tuple last, int most) {
    Optional<Tuple> through = done.through().map(Tuple::decode);
    TupleRange rest = through.map(TupleRange::from).orElse(TupleRange.all());
    return at.scan(index.table(), rest)
        .limit(most + 1L)
        .keys()
        .filter(key -> !through.equals(Optional.of(key)) && key.compareTo(last) <= 0)
        .limit(most)
        .toList();
  }

  private BuildState takeOver(TypedTransaction tx) {
    requireBuilding(tx);
    BuildState state =
        tx.get(CatalogKeys.BUILDS, noted).map(before -> before.of(id)).orElse(BuildState.first(id));
    tx.put(CatalogKeys.BUILDS, noted, state);
    return state;
  }

  /** By the version of the catalog that the commit is held to. */
  private void requireBuilding(TypedTransaction tx) {
    boolean isBuilding =
        tx.catalogVersion()
            .index(index)
            .filter(kept -> kept.state() == State.BUILDING && index.isAs(kept))
            .isPresent();
    if (!isBuilding) {
      throw new OvertakenException(index);
    }
  }

  /** Throws if another build of the index has begun since: it may be of another function. */
  void requireOwn(Transaction tx) {
    Optional<BuildState> now = tx.get(CatalogKeys.BUILDS, noted);
    if (now.isEmpty() || !now.get().build().equals(id)) {
      throw new OvertakenException(index);
    }
  }

  /**
   * Says that the build goes on, if it has not done so for a while.
   *
   * @throws OvertakenException if another has begun since
   */
  void beat() {
    if (time.nanos() - lastBeatNanos > BEAT.toNanos()) {
      lastBeatNanos = time.nanos();
      session.execute(
          tx -> {
            requireOwn(tx);
            tx.update(CatalogKeys.BUILDS, noted, state -> state.of(id));
          });
    }
  }

  /** It ends before its time: who goes on need not wait. */
  void release() {
    try {
      session.execute(
          tx -> {
            requireOwn(tx);
            tx.update(CatalogKeys.BUILDS, noted, state -> state.of(BuildState.NONE));
          });
    } catch (EcStoreException e) {
      // Then it waits.
    }
  }

  /** One try. One whose outcome is not known may be done again: it enters the same. */
  private BuildState stepOnce(BuildState before, List<Tuple> keys) {
    try (ManualTransaction tx = session.begin()) {
      BuildState after = step((TypedTransaction) tx, before, keys);
      tx.commit();
      return after;
    }
  }

  private BuildState step(TypedTransaction tx, BuildState before, List<Tuple> keys) {
    requireBuilding(tx);
    requireOwn(tx);
    long bytes = 0;
    int done = 0;
    while (done < keys.size() && bytes < BYTES_AT_ONCE) {
      List<Tuple> some = keys.subList(done, Math.min(keys.size(), done + READ_AT_ONCE));
      Map<Tuple, V> records = new LinkedHashMap<>(tx.getAll(index.table(), some));
      bytes += tx.indexed().enterStored(index, records);
      done += some.size();
    }
    BuildState after =
        new BuildState(
            id,
            Optional.of(keys.get(done - 1).encode()),
            before.records() + done,
            before.beats() + 1);
    tx.put(CatalogKeys.BUILDS, noted, after);
    return after;
  }
}
