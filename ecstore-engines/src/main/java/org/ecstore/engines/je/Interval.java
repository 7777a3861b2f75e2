package org.ecstore.engines.je;

import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/** A range of keys as a range of records. */
final class Interval {
  private final byte[] start;
  private final byte @Nullable [] end;

  private Interval(byte[] start, byte @Nullable [] end) {
    this.start = start;
    this.end = end;
  }

  static Interval of(KeyRange keys) {
    return new Interval(
        VersionKey.first(keys.start()), keys.end().map(VersionKey::first).orElse(null));
  }

  /** The first place of a record; lent. */
  byte[] start() {
    return start;
  }

  /** Whether a cursor that came from the start is still below the end. */
  boolean goesOn(VersionCursor cursor) {
    return end == null || !cursor.isAtOrAbove(end);
  }
}
