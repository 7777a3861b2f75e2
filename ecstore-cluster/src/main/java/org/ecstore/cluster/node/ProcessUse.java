package org.ecstore.cluster.node;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.ecstore.server.loop.RequestWaits;
import org.ecstore.txn.limit.NodeUse;

/**
 * How much a node's process has to do: the processor time that it has used in the last second or
 * more, as a part of what it may use, and how long the requests that were taken in that time had
 * waited. Looks at most once a second. Safe for use by several threads.
 */
final class ProcessUse {
  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final double MILLI = 1_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final double processors;
  private final LongSupplier clock;
  private final LongSupplier used;
  private NodeUse seen = NodeUse.UNKNOWN;
  private boolean hasBegun;
  private long nanosThen;
  private long usedThen;
  private RequestWaits.Seen waitsThen = RequestWaits.Seen.NONE;

  /**
   * Over two clocks.
   *
   * @param processors that the process may keep busy
   * @param clock in nanoseconds
   * @param used processor time, in nanoseconds, of all its threads
   */
  ProcessUse(double processors, LongSupplier clock, LongSupplier used) {
    this.processors = processors;
    this.clock = clock;
    this.used = used;
  }

  /**
   * Of this process; absent if this Java does not say it.
   *
   * @param capacity that it is held to; absent if to nothing less than its machine
   */
  static Optional<ProcessUse> ofThisProcess(Optional<BigDecimal> capacity) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            && system.getProcessCpuTime() >= 0
        ? Optional.of(
            new ProcessUse(
                capacity
                    .map(BigDecimal::doubleValue)
                    .orElse((double) Runtime.getRuntime().availableProcessors()),
                System::nanoTime,
                system::getProcessCpuTime))
        : Optional.empty();
  }

  /**
   * What was seen last, or is seen now.
   *
   * @param waits of the node's requests until now
   */
  synchronized NodeUse look(RequestWaits.Seen waits) {
    long now = clock.getAsLong();
    if (hasBegun && now - nanosThen < LOOK_NANOS) {
      return seen;
    }
    long usedNow = used.getAsLong();
    if (hasBegun) {
      double busy = (usedNow - usedThen) / (processors * (now - nanosThen));
      seen =
          new NodeUse(
              Math.max(0, Math.round(busy * MILLI)),
              waits.meanNanosSince(waitsThen) / NANOS_PER_MICRO);
    }
    hasBegun = true;
    nanosThen = now;
    usedThen = usedNow;
    waitsThen = waits;
    return seen;
  }
}
