package org.ecstore.engines.je;

import com.sleepycat.je.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.EngineResult.KeyVersion;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** The reads of the {@link JeEngine}, blocking. Any thread may call. */
final class JeReads {
  /** Keys that {@link #middle} looks at one by one before it samples. */
  private static final int MIDDLE_KEYS_MAX = 10_000;

  private static final int MIDDLE_STRIDE = 1_000;

  /** Values are fetched with moves of a scan while at most one record in so many is passed by. */
  private static final int PASSED_SHARE = 4;

  private static final int PASSED_MIN = 4;

  private static final int SIZE_STRIDE = 1_000;
  private static final int SIZE_SAMPLED = 16;
  private static final int SIZE_FETCHED = 32;
  private static final int SIZE_FETCH_STEP = 100;

  private final Database versions;
  private final Deletions deletions;
  private final Runnable step;

  /**
   * Reads a database.
   *
   * @param deletions told of every change that deletes
   * @param step runs before each move of a cursor
   */
  JeReads(Database versions, Deletions deletions, Runnable step) {
    this.versions = versions;
    this.deletions = deletions;
    this.step = step;
  }

  private VersionCursor cursor() {
    return VersionCursor.open(versions, null, step);
  }

  EngineResult.Found read(List<Bytes> keys, Position at, int bytesMax) {
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    long bytes = 0;
    try (VersionCursor cursor = cursor()) {
      // Most keys asked for are there.
      cursor.fetch(true);
      for (Bytes key : keys) {
        byte[] sought = VersionKey.atOrBelow(key, at);
        boolean found = cursor.seek(sought) && cursor.isOf(sought);
        Optional<Row> row = found ? row(cursor, key, false) : Optional.empty();
        rows.add(row);
        bytes += row.isPresent() ? key.length() + row.get().value().length() : 0;
        if (bytes >= bytesMax) {
          break;
        }
      }
    }
    return new EngineResult.Found(rows);
  }

  private static Optional<Row> row(VersionCursor cursor, Bytes key, boolean keyOnly) {
    if (cursor.isTombstone()) {
      return Optional.empty();
    }
    Position version = cursor.version();
    return keyOnly
        ? Optional.of(new Row(key, version, Bytes.EMPTY))
        : cursor.value().map(value -> new Row(key, version, value));
  }

  EngineResult.Rows scan(ScanSpec spec) {
    try (VersionCursor cursor = cursor()) {
      return spec.reverse() ? backward(cursor, spec) : forward(cursor, spec);
    }
  }

  /** Rows up to the limits. */
  private static final class Gathered {
    private final ScanSpec spec;
    private final List<Row> rows = new ArrayList<>();
    private int bytes;
    private int passed;

    Gathered(ScanSpec spec) {
      this.spec = spec;
    }

    /** A record was passed that is not the one wanted of its key. */
    void passed() {
      passed++;
    }

    /**
     * Whether values are worth fetching with each move: while most records are the only version of
     * their key, as is usual.
     */
    boolean fetches() {
      return !spec.keysOnly() && passed <= rows.size() / PASSED_SHARE + PASSED_MIN;
    }

    /** Takes the row the cursor stands on, if there is one; whether a limit is reached. */
    boolean takes(Optional<Row> row) {
      if (row.isEmpty()) {
        return false;
      }
      rows.add(row.get());
      bytes += row.get().key().length() + row.get().value().length();
      return rows.size() >= spec.recordsMax() || bytes >= spec.bytesMax();
    }

    EngineResult.Rows rows(boolean complete) {
      return new EngineResult.Rows(rows, complete);
    }
  }

  private static EngineResult.Rows forward(VersionCursor cursor, ScanSpec spec) {
    Gathered gathered = new Gathered(spec);
    Interval interval = Interval.of(spec.interval());
    cursor.fetch(gathered.fetches());
    boolean found = cursor.seek(interval.start());
    while (found && interval.goesOn(cursor)) {
      cursor.fetch(gathered.fetches());
      byte[] newest = cursor.record();
      found = cursor.nextAtOrBelow(spec.at());
      if (found && cursor.isOf(newest)) {
        byte[] readable = cursor.record();
        if (!Arrays.equals(readable, newest)) {
          gathered.passed();
        }
        if (gathered.takes(row(cursor, cursor.key(), spec.keysOnly()))) {
          return gathered.rows(false);
        }
        found = cursor.next();
        if (found && cursor.isOf(readable)) {
          gathered.passed();
          cursor.fetch(false);
          found = cursor.nextKey();
        }
      }
    }
    return gathered.rows(true);
  }

  /**
   * Backwards the oldest version of a key comes first. Mostly it is the only one; its value is
   * taken before the cursor moves on. If the version before it is visible too, or if something was
   * deleted from before the cursor came to the key until after it left it, one seek finds the
   * newest that is, in one look at all versions: a prune that deletes an old version and then the
   * tombstone above it leaves a cursor that came to the one nothing newer to find.
   */
  private EngineResult.Rows backward(VersionCursor cursor, ScanSpec spec) {
    Gathered gathered = new Gathered(spec);
    byte[] start = VersionKey.first(spec.interval().start());
    long came = deletions.now();
    boolean found = cursor.seekBelowEnd(spec.interval());
    while (found && cursor.isAtOrAbove(start)) {
      byte[] oldest = cursor.record();
      long leaves = deletions.now();
      if (cursor.version().isAfter(spec.at())) {
        found = cursor.previousKey();
      } else {
        Optional<Row> row = row(cursor, cursor.key(), spec.keysOnly());
        found = cursor.previous();
        boolean another = found && cursor.isOf(oldest);
        boolean visible = another && !cursor.version().isAfter(spec.at());
        if (visible || !deletions.noneSince(came)) {
          boolean there =
              cursor.seek(VersionKey.atOrBelow(oldest, spec.at())) && cursor.isOf(oldest);
          row = there ? row(cursor, cursor.key(), spec.keysOnly()) : Optional.empty();
          leaves = deletions.now();
          found = there ? cursor.previousKey() : cursor.seekBelow(VersionKey.first(oldest));
        } else if (another) {
          leaves = deletions.now();
          found = cursor.previousKey();
        }
        if (gathered.takes(row)) {
          return gathered.rows(false);
        }
      }
      came = leaves;
    }
    return gathered.rows(true);
  }

  EngineResult.Newer newest(List<Bytes> keys, List<KeyRange> intervals, Position above) {
    try (VersionCursor cursor = cursor()) {
      for (Bytes key : keys) {
        byte[] least = VersionKey.of(key, new Position(Long.MAX_VALUE), false);
        if (cursor.seek(least) && cursor.isOf(least) && cursor.version().isAfter(above)) {
          return newer(cursor, KeyRange.single(key));
        }
      }
      for (KeyRange asked : intervals) {
        Interval interval = Interval.of(asked);
        boolean found = cursor.seek(interval.start());
        while (found && interval.goesOn(cursor)) {
          if (cursor.version().isAfter(above)) {
            return newer(cursor, asked);
          }
          found = cursor.nextKey();
        }
      }
    }
    return new EngineResult.Newer(Optional.empty());
  }

  private static EngineResult.Newer newer(VersionCursor cursor, KeyRange asked) {
    return new EngineResult.Newer(
        Optional.of(new KeyVersion(cursor.key(), asked, cursor.version())));
  }

  /** Exact for few keys, by sampling every so many records for many. */
  EngineResult.Middle middle(KeyRange asked) {
    Interval interval = Interval.of(asked);
    try (VersionCursor cursor = cursor()) {
      List<Bytes> live = new ArrayList<>();
      boolean found = cursor.seek(interval.start());
      for (int seen = 0; found && interval.goesOn(cursor); seen++) {
        if (seen >= MIDDLE_KEYS_MAX && live.size() >= 2) {
          return new EngineResult.Middle(Optional.of(sampledMiddle(cursor, interval, live)));
        }
        if (!cursor.isTombstone()) {
          live.add(cursor.key());
        }
        found = cursor.nextKey();
      }
      return new EngineResult.Middle(
          live.size() < 2 ? Optional.empty() : Optional.of(live.get(live.size() / 2)));
    }
  }

  /**
   * Counts by skipping, which reads no leaf, and looks at a few records of each thousand: how many
   * are the newest of their key and have a value, and how long these are.
   */
  EngineResult.Size size(KeyRange asked) {
    Interval interval = Interval.of(asked);
    double keys = 0;
    double bytes = 0;
    try (VersionCursor cursor = cursor()) {
      boolean found = cursor.seek(interval.start());
      while (found && interval.goesOn(cursor)) {
        byte[] here = cursor.record();
        boolean more = cursor.skip(SIZE_STRIDE) == SIZE_STRIDE && interval.goesOn(cursor);
        byte[] next = cursor.record();
        Sample sample = Sample.from(cursor, here, interval, more ? SIZE_SAMPLED : SIZE_STRIDE + 1);
        // None is seen if all was cleared meanwhile.
        double of = more ? (double) SIZE_STRIDE / Math.max(1, sample.seen) : 1;
        keys += of * sample.live;
        bytes += of * sample.bytes();
        found = more && cursor.seek(next);
      }
    }
    return new EngineResult.Size(Math.round(keys), Math.round(bytes));
  }

  /** Some records in a row. */
  private static final class Sample {
    private int seen;
    private int live;
    private int fetched;
    private long fetchedBytes;

    static Sample from(VersionCursor cursor, byte[] start, Interval interval, int recordsMax) {
      Sample sample = new Sample();
      boolean newest =
          cursor.seek(VersionKey.first(start)) && Arrays.equals(cursor.record(), start);
      boolean found = cursor.seek(start);
      while (found && sample.seen < recordsMax && interval.goesOn(cursor)) {
        sample.take(cursor, newest);
        byte[] before = cursor.record();
        found = cursor.next();
        newest = found && !cursor.isOf(before);
      }
      return sample;
    }

    private void take(VersionCursor cursor, boolean newest) {
      seen++;
      if (newest && !cursor.isTombstone()) {
        if (live < SIZE_FETCHED || live % SIZE_FETCH_STEP == 0) {
          fetchedBytes += cursor.bytes();
          fetched++;
        }
        live++;
      }
    }

    double bytes() {
      return fetched == 0 ? 0 : (double) fetchedBytes / fetched * live;
    }
  }

  private static Bytes sampledMiddle(VersionCursor cursor, Interval interval, List<Bytes> live) {
    List<byte[]> samples = new ArrayList<>();
    boolean found = cursor.seek(interval.start());
    while (found && interval.goesOn(cursor)) {
      samples.add(cursor.record());
      found = cursor.skip(MIDDLE_STRIDE) > 0;
    }
    if (samples.isEmpty()) {
      return live.get(live.size() / 2); // All was cleared meanwhile.
    }
    found = cursor.seek(VersionKey.first(samples.get(samples.size() / 2)));
    while (found && interval.goesOn(cursor) && cursor.isTombstone()) {
      found = cursor.nextKey();
    }
    if (!found || !interval.goesOn(cursor)) {
      return live.getLast(); // Nothing lives above the sample.
    }
    Bytes middle = cursor.key();
    return middle.compareTo(live.getFirst()) > 0 ? middle : live.get(1);
  }
}
