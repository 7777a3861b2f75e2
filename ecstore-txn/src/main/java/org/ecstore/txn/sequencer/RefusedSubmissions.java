package org.ecstore.txn.sequencer;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ecstore.id.TxnId;

/**
 * Submissions that were refused a moment ago for want of room: their coordinators send them again,
 * unless they are gone. A participant's question about one makes no record meanwhile. If it made
 * one, the records of what was refused would take the room that it was refused for the want of, and
 * no commit would be taken any more (rule 5).
 */
final class RefusedSubmissions {
  /** Several times as long as a coordinator takes to send one again. */
  private static final long KEPT_NANOS = 1_000_000_000L;

  /** Of all nodes together. Those refused longest ago are forgotten first. */
  static final int MOST = 100_000;

  /** When each was refused last, the latest at the end. */
  private final Map<TxnId, Long> refusedAtNanos = new LinkedHashMap<>();

  /** None. */
  void clear() {
    refusedAtNanos.clear();
  }

  /** A submission is refused now. */
  void add(TxnId txn, long nowNanos) {
    refusedAtNanos.remove(txn);
    refusedAtNanos.put(txn, nowNanos);
    Iterator<Long> oldestFirst = refusedAtNanos.values().iterator();
    while (isOver(oldestFirst.next(), nowNanos) || refusedAtNanos.size() > MOST) {
      oldestFirst.remove();
    }
  }

  /** Whether one was refused so lately that it may come again. */
  boolean has(TxnId txn, long nowNanos) {
    Long refusedAt = refusedAtNanos.get(txn);
    return refusedAt != null && !isOver(refusedAt, nowNanos);
  }

  private static boolean isOver(long refusedAtNanos, long nowNanos) {
    return nowNanos - refusedAtNanos > KEPT_NANOS;
  }
}
