package org.ecstore.bench.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Looks who keeps the machine's processors busy, where nodes and clients come and go: each process
 * by itself, from one look to the next. What a process does between its last look and its end
 * counts as that of others.
 */
public final class CoreWatch {
  private static final double SECOND = 1e9;

  private Optional<Map<Long, Long>> before = Optional.empty();
  private Optional<Long> machineBefore = Optional.empty();
  private long nanosBefore;

  /**
   * What was done since the last look; nothing, in no time, at the first one.
   *
   * @param nodes processes of nodes
   */
  public CoreUse look(Set<Long> nodes) {
    ProcessHandle self = ProcessHandle.current();
    Set<Long> ofNodes = withDescendants(nodes);
    Set<Long> ofClients =
        withDescendants(
            self.children()
                .map(ProcessHandle::pid)
                .filter(pid -> !nodes.contains(pid))
                .collect(TreeSet::new, Set::add, Set::addAll));
    ofClients.removeAll(ofNodes);
    long nanos = System.nanoTime();
    Optional<Long> machine = Processors.ofMachine();
    Map<Long, Long> now = new HashMap<>();
    long forNodes = spent(ofNodes, now);
    long forClients = spent(ofClients, now);
    long forBench = spent(Set.of(self.pid()), now);
    long all = forNodes + forClients + forBench;
    boolean isFirst = before.isEmpty();
    double span = Math.max(1, nanos - nanosBefore);
    Optional<Double> others =
        machine.flatMap(
            ticks -> machineBefore.map(then -> Math.max(0, (ticks - then - all) / span)));
    before = Optional.of(now);
    machineBefore = machine;
    nanosBefore = nanos;
    if (isFirst) {
      return CoreUse.mean(List.of());
    }
    return new CoreUse(
        span / SECOND,
        forNodes / span,
        forClients / span,
        forBench / span,
        others.map(OptionalDouble::of).orElse(OptionalDouble.empty()));
  }

  private static Set<Long> withDescendants(Set<Long> processes) {
    Set<Long> all = new TreeSet<>(processes);
    processes.stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(CoreWatch::descendants)
        .forEach(all::add);
    return all;
  }

  private static Stream<Long> descendants(ProcessHandle process) {
    return process.descendants().map(ProcessHandle::pid);
  }

  /** Nanoseconds of some processes since the last look; a new one's count from its beginning. */
  private long spent(Set<Long> processes, Map<Long, Long> now) {
    Map<Long, Long> earlier = before.orElse(Map.of());
    long sum = 0;
    for (long process : processes) {
      long nanos = Processors.ofProcess(process);
      now.put(process, nanos);
      sum += Math.max(0, nanos - earlier.getOrDefault(process, 0L));
    }
    return sum;
  }
}
