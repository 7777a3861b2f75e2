package org.ecstore.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Processor time so far: of the servers, of this process, and of the machine where it says so.
 *
 * @param serversNanos of all threads of all servers
 * @param clientNanos of all threads of this process
 * @param machineNanos of all processes and the kernel; absent if the machine does not say
 */
public record Processors(long serversNanos, long clientNanos, Optional<Long> machineNanos) {
  private static final Path STAT = Path.of("/proc/stat");

  /** What Linux counts in, whatever the kernel's own clock (USER_HZ). */
  private static final long NANOS_PER_TICK = 10_000_000L;

  static Processors now(List<Long> servers) {
    return new Processors(
        servers.stream().mapToLong(Processors::ofProcess).sum(),
        ofProcess(ProcessHandle.current().pid()),
        ofMachine());
  }

  /** Nanoseconds of all threads of a process so far; 0 if it does not run. */
  public static long ofProcess(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .orElse(0L);
  }

  /** Nanoseconds of all processes and the kernel so far; absent if the machine does not say. */
  public static Optional<Long> ofMachine() {
    try {
      // cpu user nice system idle iowait irq softirq steal
      String[] all = Files.readAllLines(STAT).getFirst().trim().split("\\s+", -1);
      long ticks = 0;
      for (int field : new int[] {1, 2, 3, 6, 7}) {
        ticks += Long.parseLong(all[field]);
      }
      return Optional.of(ticks * NANOS_PER_TICK);
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** As much for another span of time. */
  Processors times(double factor) {
    return new Processors(
        Math.round(serversNanos * factor),
        Math.round(clientNanos * factor),
        machineNanos.map(nanos -> Math.round(nanos * factor)));
  }

  /** What was used since an earlier look. */
  Processors since(Processors before) {
    return new Processors(
        serversNanos - before.serversNanos,
        clientNanos - before.clientNanos,
        machineNanos.flatMap(now -> before.machineNanos.map(then -> now - then)));
  }
}
