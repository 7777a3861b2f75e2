package org.ecstore.engines.window;

import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.engines.store.StoreException;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** The rules of a {@link WindowedEngine} at the places where a planted bug breaks them. */
public class WindowRules {
  /** What a node runs with. */
  public static final WindowRules RIGHT = new WindowRules();

  /**
   * W1: no fold goes back behind one before, nor behind what a crash may have left half done: it
   * would put older rows in the place of newer ones.
   */
  @RuleSeam(14)
  protected boolean isBehind(long through, long folding) {
    return through < folding;
  }

  /** W1: nothing is answered below what is kept. */
  @RuleSeam(10)
  protected long readableFrom(long kept) {
    return kept;
  }

  /** W1: no version is told to be the newest below what is kept: newer ones may have left. */
  @RuleSeam(10)
  protected long votableFrom(long kept) {
    return kept;
  }

  /** W1: a write that comes late would bring back what is deleted. */
  @RuleSeam(14)
  protected boolean isFolded(long version, long folded) {
    return version <= folded;
  }

  /** W6: what comes after a clear is not folded by what began before it. */
  @RuleSeam(17)
  protected boolean leavesFolds(KeyRange cleared) {
    return true;
  }

  /** W5: versions leave the window after the sync that makes the rows durable. */
  @RuleSeam(14)
  protected void beforeLeaving(Runnable sync) {
    sync.run();
  }

  /** W1: how far the store is belongs to the interval that was folded, and to no other. */
  @RuleSeam(7)
  protected KeyRange reach(KeyRange folded) {
    return folded;
  }

  /** W5: a row of the store above the position that is read at is an error, not a row. */
  @RuleSeam(10)
  protected boolean isAbove(Position row, Position at) {
    return row.isAfter(at);
  }

  /**
   * A row of the store, as it is read at a position.
   *
   * @throws StoreException if it is above that
   */
  final Row readable(Row row, Position at) {
    if (isAbove(row.version(), at)) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE,
          "the store has " + row.key() + " as of " + row.version() + ", above " + at);
    }
    return row;
  }

  /** As above, of what may be absent. */
  final Optional<Row> readable(Optional<Row> row, Position at) {
    return row.map(found -> readable(found, at));
  }

  /** W5: versions leave the window after the readers under way, which may have seen the store. */
  @RuleSeam(10)
  protected void afterReaders(Consumer<Runnable> readers, Runnable then) {
    readers.accept(then);
  }

  /** W5: memory of values that have left is used again after the readers under way. */
  @RuleSeam(10)
  protected void usedAgain(Consumer<Runnable> readers, Runnable then) {
    readers.accept(then);
  }

  /**
   * Rule 28: what a fold has put into a row of a version is not put into it again by a restart that
   * replays it.
   */
  @RuleSeam(28)
  protected boolean isTakenIn(long rowVersion, long version) {
    return version <= rowVersion;
  }

  /**
   * Rules 28, W8: whether the window has what a key is at a position that is read: a version is
   * there, and if that is an operation, what it works on.
   */
  @RuleSeam(28)
  protected boolean hasBase(boolean isThere, boolean isWithinWindow) {
    return isThere && isWithinWindow;
  }

  /** W8: what a key was before a fold ahead of its readers; that it was absent, too. */
  @RuleSeam(10)
  protected Optional<VersionedWrite> before(Bytes key, Optional<Row> row) {
    return Optional.of(
        row.map(VersionedWrite::of)
            .orElseGet(() -> new VersionedWrite(key, Position.ZERO, Optional.empty())));
  }
}
