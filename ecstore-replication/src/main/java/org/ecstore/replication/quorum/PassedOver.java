package org.ecstore.replication.quorum;

import java.util.HashMap;
import java.util.Map;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;

/**
 * Copies that are not asked before others for a while, however well their engines read: they were
 * silent, did not count, or lacked what had just been written. The while is 20 ms, and twice as
 * long each time that this is so again within a second after it: so under a burst of writes a copy
 * that lags behind them, or one whose node is gone and not known to be, is soon asked first once a
 * second only.
 *
 * <p>Rule 23; the Japanese paper on MyCassandra, §4.2 and §7, names it as what would help reads of
 * data just written. Nothing here is needed for safety. On the event loop.
 */
final class PassedOver {
  static final long PAUSE_NANOS_MIN = 20_000_000L;
  static final long PAUSE_NANOS_MAX = 1_000_000_000L;
  private static final int REMEMBERED_MAX = 10_000;

  private record CopyId(RangeId range, NodeId node) {}

  private record Pause(long untilNanos, long nanos) {}

  private final Map<CopyId, Pause> pauses = new HashMap<>();

  /** A copy has to be passed over, if it is not already. */
  void add(RangeId range, NodeId node, long nowNanos) {
    CopyId copy = new CopyId(range, node);
    Pause last = pauses.get(copy);
    if (last != null && last.untilNanos - nowNanos > 0) {
      return;
    }
    if (pauses.size() >= REMEMBERED_MAX) {
      pauses.clear();
    }
    long nanos =
        last != null && nowNanos - last.untilNanos < PAUSE_NANOS_MAX
            ? Math.min(PAUSE_NANOS_MAX, 2 * last.nanos)
            : PAUSE_NANOS_MIN;
    pauses.put(copy, new Pause(nowNanos + nanos, nanos));
  }

  /** Whether a copy is passed over at present. */
  boolean has(RangeId range, NodeId node, long nowNanos) {
    Pause last = pauses.get(new CopyId(range, node));
    return last != null && last.untilNanos - nowNanos > 0;
  }
}
