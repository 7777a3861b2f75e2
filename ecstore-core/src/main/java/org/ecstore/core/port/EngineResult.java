package org.ecstore.core.port;

import java.util.List;
import java.util.Optional;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.Folding;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** What became of a call to the {@link Engine}. */
public sealed interface EngineResult {
  /**
   * One element a key, in the order asked: of all keys, or of the first ones if a limit was
   * reached.
   */
  record Found(List<Optional<Row>> rows) implements EngineResult {}

  /**
   * Rows in scan order; {@code complete} if the interval is exhausted, else a limit was reached.
   *
   * @param aggregatedThrough if the rows are of groups ({@link Folding.Page}): the key of the last
   *     row that is in one, or that no group has
   */
  record Rows(List<Row> rows, boolean complete, Optional<Bytes> aggregatedThrough)
      implements EngineResult {
    /** As they are. */
    public Rows(List<Row> rows, boolean complete) {
      this(rows, complete, Optional.empty());
    }

    /** What is found of them, if it is asked for and all of them have it; takes time. */
    public Rows aggregated(Optional<Aggregate> aggregate) {
      Optional<Folding.Page> page =
          rows.isEmpty() ? Optional.empty() : aggregate.flatMap(one -> Folding.page(one, rows));
      return page.map(
              found ->
                  new Rows(
                      found.rows(),
                      complete && found.records() == rows.size(),
                      Optional.of(rows.get(found.records() - 1).key())))
          .orElse(this);
    }
  }

  /** The first key found with a version above the position, with that version. */
  record Newer(Optional<KeyVersion> first) implements EngineResult {}

  /** A key, where it was asked for (the key itself or the interval), and its version. */
  record KeyVersion(Bytes key, KeyRange asked, Position version) {}

  /**
   * It was asked for something below what the engine has kept: versions below this position are not
   * told apart any more, and an answer would mix them.
   *
   * @param least the lowest position at which it answers now
   */
  record TooOld(Position least) implements EngineResult {}

  record Applied() implements EngineResult {}

  record Synced() implements EngineResult {}

  /** An interval is in the store; of so many keys versions have gone. */
  record Folded(int keys) implements EngineResult {}

  record Middle(Optional<Bytes> key) implements EngineResult {}

  /** How many keys have a value at their newest version, and the bytes of keys and values. */
  record Size(long records, long bytes) implements EngineResult {}

  record Metadata(List<Engine.MetadataEntry> metadata) implements EngineResult {}

  /**
   * The call had no effect: no room, or an I/O error. A failed batch may be submitted again. After
   * an I/O error it may yet turn out to be applied, as a whole, once the engine has recovered.
   */
  record Failed(boolean outOfSpace, String detail) implements EngineResult {}

  /**
   * What the engine had confirmed is not there any more, as where a store in memory was emptied:
   * its node ends, and what it had is filled anew once it is back (decision 0056).
   */
  record Lost(String detail) implements EngineResult {}

  /** A read that was not begun, for there are more than the engine can do in time. */
  record Overloaded(String detail) implements EngineResult {}
}
