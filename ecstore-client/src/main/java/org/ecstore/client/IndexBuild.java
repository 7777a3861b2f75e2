package org.ecstore.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;

/**
 * Enters the records of a table in an index that is written already. In steps: which records are
 * next is seen in a snapshot, and each of them read and entered by a transaction of its own kind,
 * so that a record that is written meanwhile is read anew. With each step it notes how far it is.
 *
 * @param <V> the type of the table's values
 */
final class IndexBuild<V> {
  /** Records of one step, at most: few enough that a step is hardly in the way of writers. */
  static final int AT_ONCE = 200;

  private static final long BYTES_AT_ONCE = 4L << 20;
  private static final Duration STEP_MAX = Duration.ofSeconds(5);

  private final TypedSession session;
  private final Session steps;
  private final OpenStore store;
  private final Index<V> index;
  private final LongConsumer progress;
  private final UUID id = UUID.randomUUID();
  private final Tuple noted;

  IndexBuild(TypedSession session, OpenStore store, Index<V> index, LongConsumer progress) {
    this.session = session;
    this.steps = session.within(STEP_MAX);
    this.store = store;
    this.index = index;
    this.progress = progress;
    this.noted = CatalogKeys.build(index.table().name(), index.name());
  }

  /** Goes on where the last one has stopped. Returns how many records all have looked at. */
  long run() {
    BuildState state = session.transact(this::takeOver);
    int atOnce = 1;
    while (true) {
      long begun = store.backend().cluster().time().nanos();
      TupleRange rest =
          state.through().isPresent()
              ? TupleRange.from(Tuple.decode(state.through().get()).append(false))
              : TupleRange.all();
      int most = atOnce;
      List<Tuple> keys =
          session.read(at -> at.scan(index.table(), rest).limit(most).keys().toList());
      if (keys.isEmpty()) {
        return state.records();
      }
      BuildState before = state;
      try {
        state = steps.transact(tx -> step((TypedTransaction) tx, before, keys));
        atOnce = Math.min(AT_ONCE, 2 * atOnce);
      } catch (ConflictException | UnavailableException e) {
        // Its records are written all the time, or one of their ranges is away: fewer may pass.
        if (atOnce == 1) {
          throw e;
        }
        atOnce = Math.max(1, atOnce / 4);
      }
      progress.accept(state.records());
      var time = store.backend().cluster().time();
      if (!time.pause(time.nanos() - begun)) {
        throw new WrongArgumentException(
            "the build was interrupted: call it again, and it goes on",
            null,
            "index",
            index.name());
      }
    }
  }

  private BuildState takeOver(Transaction tx) {
    BuildState state =
        tx.get(CatalogKeys.BUILDS, noted)
            .map(before -> new BuildState(id, before.through(), before.records()))
            .orElse(new BuildState(id, Optional.empty(), 0));
    tx.put(CatalogKeys.BUILDS, noted, state);
    return state;
  }

  /** Throws if another build of the index has begun since: it may be of another function. */
  void requireOwn(Transaction tx) {
    Optional<BuildState> now = tx.get(CatalogKeys.BUILDS, noted);
    if (now.isEmpty() || !now.get().build().equals(id)) {
      throw new WrongArgumentException(
          "another build of the index is under way, and goes on instead of this one",
          null,
          "table",
          index.table().name(),
          "index",
          index.name());
    }
  }

  private BuildState step(TypedTransaction tx, BuildState before, List<Tuple> keys) {
    requireOwn(tx);
    long bytes = 0;
    int done = 0;
    for (int from = 0; from < keys.size() && bytes < BYTES_AT_ONCE; from += 16) {
      List<Tuple> some = keys.subList(from, Math.min(keys.size(), from + 16));
      Map<Tuple, V> records = tx.getAll(index.table(), some);
      for (Map.Entry<Tuple, V> record : records.entrySet()) {
        tx.indexed().enterStored(index, record.getKey(), record.getValue());
        bytes += index.table().encode(record.getValue()).length();
      }
      done += some.size();
    }
    BuildState after =
        new BuildState(id, Optional.of(keys.get(done - 1).encode()), before.records() + done);
    tx.put(CatalogKeys.BUILDS, noted, after);
    return after;
  }
}
