package org.ecstore.bench.engines;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a phase took.
 *
 * @param cpuNanos processor time of the whole process, for each operation
 * @param wallNanos for each operation
 * @param collecting the share of the time in which the collector ran
 */
public record EngineCosts(double cpuNanos, double wallNanos, double collecting) {
  private record Moment(long cpuNanos, long wallNanos, long collectionMillis) {
    static Moment now() {
      long collections = 0;
      for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
        collections += each.getCollectionTime();
      }
      return new Moment(
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
          System.nanoTime(),
          collections);
    }
  }

  /** Work that is measured. */
  @FunctionalInterface
  interface Work {
    /** Does it. */
    void run() throws InterruptedException;
  }

  static EngineCosts of(int operations, Work work) throws InterruptedException {
    Moment before = Moment.now();
    work.run();
    Moment after = Moment.now();
    double wall = after.wallNanos() - before.wallNanos();
    return new EngineCosts(
        (double) (after.cpuNanos() - before.cpuNanos()) / operations,
        wall / operations,
        (after.collectionMillis() - before.collectionMillis()) * 1e6 / wall);
  }
}
