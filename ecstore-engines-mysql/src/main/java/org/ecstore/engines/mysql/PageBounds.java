package org.ecstore.engines.mysql;

import java.util.List;
import org.ecstore.wire.Limits;

/**
 * How many rows a statement asks for, and how long the values may be that come with them. Pages are
 * as long as what is asked for where rows are as long as those that were found last. Where they are
 * longer, values are left out that make a page longer than that, and are read by themselves once
 * their turn comes: a page has no more bytes of values than were asked for, and one value of the
 * greatest length, whatever is in the table (decision 0086).
 */
final class PageBounds {
  /** More values than these are not in one page, whatever is asked for. */
  static final long BYTES_MAX = 8L << 20;

  private static final int KEY_BYTES = 16;

  /** What a row has, about. */
  private volatile long rowBytes = 1_024;

  /** How many rows have so many bytes, about: at least 1. */
  int rows(long bytes, int rowsMax) {
    return rows(bytes, rowBytes, rowsMax);
  }

  /** How many keys. */
  static int keys(long bytes, int rowsMax) {
    return rows(bytes, KEY_BYTES, rowsMax);
  }

  private static int rows(long bytes, long each, int rowsMax) {
    return Math.clamp(Math.min(bytes, BYTES_MAX) / each + 1, 1, rowsMax);
  }

  /** How long a value may be that comes with a page of so many rows, when so much is asked for. */
  static int valueMax(long bytes, int rows) {
    return rows == 1
        ? Integer.MAX_VALUE
        : (int) ((Math.min(bytes, BYTES_MAX) + Limits.VALUE_BYTES_MAX) / rows);
  }

  /**
   * A page was not read: the next one is shorter, as the server looks at values that it leaves out,
   * and may have taken too long for it.
   */
  void failed() {
    rowBytes = Math.min(8 * rowBytes, Limits.VALUE_BYTES_MAX);
  }

  /** Goes by what was found. */
  void learn(List<FoundRow> found) {
    if (!found.isEmpty()) {
      long bytes = found.stream().mapToLong(FoundRow::bytes).sum();
      rowBytes = Math.max(1, (rowBytes + bytes / found.size()) / 2);
    }
  }
}
