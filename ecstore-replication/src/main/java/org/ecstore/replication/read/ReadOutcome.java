package org.ecstore.replication.read;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Row;

/** What became of a read of one range. */
public sealed interface ReadOutcome {
  /** One element a key, of all keys or of the first ones. */
  record Values(List<Optional<Row>> rows, ReadSource source) implements ReadOutcome {}

  /**
   * Rows in scan order; complete if the interval is exhausted.
   *
   * @param aggregatedThrough as the engine has it
   */
  record Rows(
      List<Row> rows, boolean complete, ReadSource source, Optional<Bytes> aggregatedThrough)
      implements ReadOutcome {
    /** Rows as they are. */
    public Rows(List<Row> rows, boolean complete, ReadSource source) {
      this(rows, complete, source, Optional.empty());
    }

    /** The last key that they tell of; absent if there is none. */
    public Optional<Bytes> last() {
      return aggregatedThrough.or(
          () -> rows.isEmpty() ? Optional.empty() : Optional.of(rows.getLast().key()));
    }
  }

  /** This node does not serve that range under that epoch. */
  record Elsewhere() implements ReadOutcome {}

  /** The snapshot is above the closed position of a copy that is not the primary. */
  record Behind(ReadSource source) implements ReadOutcome {}

  /** The snapshot is below the base of the copy. */
  record TooOld(Position base) implements ReadOutcome {}

  /** Not now. */
  record NotNow(String detail) implements ReadOutcome {}

  /** More is asked of this node than it can answer in time. */
  record Overloaded(String detail) implements ReadOutcome {}
}
