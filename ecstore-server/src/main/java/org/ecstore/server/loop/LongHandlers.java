package org.ecstore.server.loop;

/**
 * What kept an event loop busy for too long.
 *
 * @param count how many
 * @param longestNanos what the longest took
 * @param longestKind what it was busy with then; empty if there was none
 */
public record LongHandlers(long count, long longestNanos, String longestKind) {
  static final LongHandlers NONE = new LongHandlers(0, 0, "");

  LongHandlers with(String kind, long nanos) {
    return nanos > longestNanos
        ? new LongHandlers(count + 1, nanos, kind)
        : new LongHandlers(count + 1, longestNanos, longestKind);
  }
}
