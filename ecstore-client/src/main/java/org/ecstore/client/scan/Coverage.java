package org.ecstore.client.scan;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.check.Check;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The parts of an interval that have come, in any order: that they tile it exactly (rule 18). Parts
 * that touch are kept as one, so that there are no more than pieces under way. For one thread.
 */
final class Coverage {
  private final KeyRange interval;
  private final TreeMap<Bytes, KeyRange> byStart = new TreeMap<>();

  Coverage(KeyRange interval) {
    this.interval = interval;
  }

  /** A part has come, for the first time. */
  void add(KeyRange part) {
    Check.that(interval.contains(part), "a piece is within its scan", part, interval);
    Map.Entry<Bytes, KeyRange> before = byStart.lowerEntry(part.start());
    Map.Entry<Bytes, KeyRange> after = byStart.ceilingEntry(part.start());
    boolean repeats =
        (before != null && before.getValue().overlaps(part))
            || (after != null && after.getValue().overlaps(part));
    Check.that(!repeats, "the pieces of a scan do not overlap", part, byStart);
    KeyRange joined = part;
    if (after != null && part.end().equals(Optional.of(after.getKey()))) {
      byStart.remove(after.getKey());
      joined = KeyRange.between(joined.start(), after.getValue().end());
    }
    if (before != null && before.getValue().end().equals(Optional.of(part.start()))) {
      joined = KeyRange.between(before.getKey(), joined.end());
    }
    byStart.put(joined.start(), joined);
  }

  /** Nothing more will come. */
  void checkWhole() {
    boolean whole = byStart.size() == 1 && interval.equals(byStart.firstEntry().getValue());
    Check.that(whole, "the pieces of a scan leave nothing out", interval, byStart);
  }
}
