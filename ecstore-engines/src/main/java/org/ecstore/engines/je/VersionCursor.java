package org.ecstore.engines.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import java.util.Arrays;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the records of {@link VersionKey}. Moves read keys only, so that versions passed by
 * are not fetched; or, if asked to, values with them, which is one look into the tree instead of
 * two wherever the value is wanted in the end. Takes no locks: it may see records of a transaction
 * that is not committed (docs/decisions/0002).
 */
final class VersionCursor implements AutoCloseable {
  /** Versions of one key to step over before it is cheaper to seek. */
  private static final int STEPS_MAX = 8;

  /** One that does not keep its place when a move fails need not be copied for each move. */
  private static final CursorConfig CONFIG =
      new CursorConfig().setReadUncommitted(true).setNonSticky(true);

  private static final byte[] NONE = {};

  private final Cursor cursor;
  private final Runnable step;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry nothing = new DatabaseEntry();
  private final DatabaseEntry value = new DatabaseEntry();
  private byte[] record = NONE;
  private boolean fetching;

  /** Whether the value came with the last move. */
  private boolean fetched;

  private VersionCursor(Cursor cursor, Runnable step) {
    this.cursor = cursor;
    this.step = step;
    nothing.setPartial(0, 0, true);
  }

  /**
   * A cursor of a transaction, or of none.
   *
   * @param step runs before each move, so that a test can let others make theirs there
   */
  static VersionCursor open(Database versions, @Nullable Transaction transaction, Runnable step) {
    return new VersionCursor(versions.openCursor(transaction, CONFIG), step);
  }

  @Override
  public void close() {
    cursor.close();
  }

  /** The record it stands on; not to be written to. */
  byte[] record() {
    return record;
  }

  Bytes key() {
    return VersionKey.key(record);
  }

  Position version() {
    return VersionKey.version(record);
  }

  boolean isTombstone() {
    return VersionKey.isTombstone(record);
  }

  /** From now on moves fetch values, or do not. */
  void fetch(boolean values) {
    fetching = values;
  }

  private DatabaseEntry data() {
    return fetching ? value : nothing;
  }

  /** The value it stands on; absent if the record was deleted meanwhile. */
  Optional<Bytes> value() {
    if (fetched) {
      return Optional.of(Bytes.wrap(value.getData()));
    }
    step.run();
    DatabaseEntry data = new DatabaseEntry();
    OperationStatus status = cursor.getCurrent(key, data, LockMode.READ_UNCOMMITTED);
    return status == OperationStatus.SUCCESS
        ? Optional.of(Bytes.wrap(data.getData()))
        : Optional.empty();
  }

  /** Deletes the record it stands on. */
  void delete() {
    step.run();
    cursor.delete();
  }

  /** Moves to the first record at or above a bound. */
  boolean seek(byte[] bound) {
    step.run();
    key.setData(bound);
    return moved(cursor.getSearchKeyRange(key, data(), LockMode.READ_UNCOMMITTED));
  }

  /** Moves to the last record below the end of an interval. */
  boolean seekBelowEnd(KeyRange interval) {
    return interval.end().isPresent() ? seekBelow(VersionKey.first(interval.end().get())) : last();
  }

  /** Moves to the last record below a bound, whatever was put above it between two moves. */
  boolean seekBelow(byte[] bound) {
    boolean found = seek(bound) ? previous() : last();
    while (found && isAtOrAbove(bound)) {
      found = previous();
    }
    return found;
  }

  private boolean last() {
    step.run();
    return moved(cursor.getLast(key, data(), LockMode.READ_UNCOMMITTED));
  }

  boolean next() {
    step.run();
    return moved(cursor.getNext(key, data(), LockMode.READ_UNCOMMITTED));
  }

  boolean previous() {
    step.run();
    return moved(cursor.getPrev(key, data(), LockMode.READ_UNCOMMITTED));
  }

  /**
   * Moves forward over about so many records, whatever their keys; fewer at the end. Returns over
   * how many, 0 if it stood on the last one.
   */
  long skip(int records) {
    step.run();
    long skipped = cursor.skipNext(records, key, data(), LockMode.READ_UNCOMMITTED);
    return skipped > 0 && moved(OperationStatus.SUCCESS) ? skipped : 0;
  }

  /** The bytes of the key and the value it stands on. */
  int bytes() {
    return key().length() + value().map(Bytes::length).orElse(0);
  }

  /** Moves on to the newest version at or below a position, or past all versions of this key. */
  boolean nextAtOrBelow(Position position) {
    byte[] from = record;
    for (int steps = 0; version().isAfter(position); steps++) {
      if (steps == STEPS_MAX) {
        return seek(VersionKey.atOrBelow(from, position));
      }
      if (!next()) {
        return false;
      }
      if (!isOf(from)) {
        return true;
      }
    }
    return true;
  }

  /** Moves on to the newest version of the next key. */
  boolean nextKey() {
    byte[] from = record;
    for (int steps = 0; steps < STEPS_MAX; steps++) {
      if (!next()) {
        return false;
      }
      if (!isOf(from)) {
        return true;
      }
    }
    return seek(VersionKey.afterAll(from));
  }

  /** Moves back to the oldest version of the key before. */
  boolean previousKey() {
    byte[] from = record;
    for (int steps = 0; steps < STEPS_MAX; steps++) {
      if (!previous()) {
        return false;
      }
      if (!isOf(from)) {
        return true;
      }
    }
    return seekBelow(VersionKey.first(from));
  }

  /** Whether it stands on a version of the same key as a record. */
  boolean isOf(byte[] other) {
    return VersionKey.sameKey(record, other);
  }

  /** Whether it stands at or above a bound. */
  boolean isAtOrAbove(byte[] bound) {
    return Arrays.compareUnsigned(record, bound) >= 0;
  }

  private boolean moved(OperationStatus status) {
    if (status != OperationStatus.SUCCESS) {
      return false;
    }
    record = key.getData();
    fetched = fetching;
    return true;
  }
}
