package org.ecstore.server.loop;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How much processor time this process has used. The system says it in steps of 10 ms, which would
 * let a small quota pass in jerks; between two steps counts what the asking thread has used by
 * itself, which is known to the nanosecond, a step at most. So it is behind the truth by what other
 * threads used within a step, and catches up with the next one.
 *
 * <p>For one thread: the event loop, which does most of a node's work on small machines.
 */
public final class ProcessorMeter implements LongSupplier {
  /** What Linux counts a process's time in (USER_HZ). */
  static final long STEP_NANOS = 10_000_000L;

  private final LongSupplier process;
  private final LongSupplier thread;
  private long processThen = -1;
  private long threadThen;
  private long said;

  /**
   * Over two clocks.
   *
   * @param process of all threads, in steps
   * @param thread of the one that asks
   */
  ProcessorMeter(LongSupplier process, LongSupplier thread) {
    this.process = process;
    this.thread = thread;
  }

  /** Of this process; absent if this Java does not say it. */
  public static Optional<ProcessorMeter> ofThisProcess() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            && system.getProcessCpuTime() >= 0
        ? Optional.of(
            new ProcessorMeter(
                system::getProcessCpuTime,
                threads.isCurrentThreadCpuTimeSupported()
                    ? threads::getCurrentThreadCpuTime
                    : () -> 0))
        : Optional.empty();
  }

  /** In nanoseconds; never less than before. */
  @Override
  public long getAsLong() {
    long ofProcess = process.getAsLong();
    long ofThread = thread.getAsLong();
    if (ofProcess != processThen) {
      processThen = ofProcess;
      threadThen = ofThread;
    }
    said = Math.max(said, processThen + Math.min(STEP_NANOS, ofThread - threadThen));
    return said;
  }
}
