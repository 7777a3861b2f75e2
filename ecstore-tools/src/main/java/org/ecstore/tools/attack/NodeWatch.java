package org.ecstore.tools.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.process.ProcessCluster;

/** What the processes of a cluster hold, against what they held at first. One thread at a time. */
final class NodeWatch implements AutoCloseable {
  /** The engine's cache of 48 MiB fills, and outcomes of transactions are kept for a while. */
  private static final long HEAP_GROWTH_MAX = 96L << 20;

  /** What network libraries keep of their buffers for later use: half of what there may be. */
  private static final long DIRECT_GROWTH_MAX = 128L << 20;

  private static final long FILES_GROWTH_MAX = 48;
  private static final long SETTLE_SECONDS_MAX = 60;

  /** Each look collects garbage, which halts the node for a moment. */
  private static final long LOOK_MILLIS = 5_000;

  private static final int LOG_LINES = 6;

  private final ProcessCluster cluster;
  private final Consumer<String> finding;
  private final Map<Integer, Long> pids = new TreeMap<>();
  private final Map<Integer, NodeGauge> gauges = new TreeMap<>();
  private final Map<Integer, NodeGauge.Vitals> first = new TreeMap<>();

  /** The most that one node has more than at first, and the largest process. */
  record Growth(long heapBytes, long directBytes, long residentBytes, long files) {}

  /** Looks for the first time. */
  NodeWatch(ProcessCluster cluster, Consumer<String> finding) throws IOException {
    this.cluster = cluster;
    this.finding = finding;
    for (int node : cluster.nodes()) {
      long pid =
          cluster.pid(node).orElseThrow(() -> new IOException("node " + node + " does not run"));
      NodeGauge gauge = new NodeGauge(pid);
      pids.put(node, pid);
      gauges.put(node, gauge);
    }
    for (Map.Entry<Integer, NodeGauge> each : gauges.entrySet()) {
      first.put(each.getKey(), each.getValue().look());
    }
  }

  /** Whether a node is the process it was. */
  boolean lives(int node) {
    try {
      return cluster.pid(node).equals(Optional.ofNullable(pids.get(node)));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether all are the processes they were, and what the others said last. */
  boolean allLive(String when) throws IOException {
    boolean live = true;
    for (Map.Entry<Integer, Long> each : List.copyOf(pids.entrySet())) {
      if (!lives(each.getKey())) {
        live = false;
        finding.accept(
            when
                + ": node "
                + each.getKey()
                + " has ended, or is another process: "
                + String.join(" | ", cluster.lastLines(each.getKey(), LOG_LINES)));
      }
    }
    return live;
  }

  /** Waits until what was taken is given back, and says what is not. */
  Growth settle(String when) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS_MAX);
    while (true) {
      List<String> lacks = new ArrayList<>();
      Growth growth = look(when, lacks);
      if (lacks.isEmpty() || System.nanoTime() - deadline > 0) {
        lacks.forEach(finding);
        return growth;
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private Growth look(String when, List<String> lacks) throws IOException {
    Growth most = new Growth(Long.MIN_VALUE, Long.MIN_VALUE, -1, Long.MIN_VALUE);
    for (Map.Entry<Integer, NodeGauge> each : gauges.entrySet()) {
      int node = each.getKey();
      NodeGauge.Vitals before = Objects.requireNonNull(first.get(node));
      NodeGauge.Vitals now = each.getValue().look();
      Growth one =
          new Growth(
              now.heapBytes() - before.heapBytes(),
              now.directBytes() - before.directBytes(),
              now.residentBytes(),
              now.files() - before.files());
      lack(lacks, when, node, "bytes of heap", one.heapBytes(), HEAP_GROWTH_MAX);
      lack(lacks, when, node, "bytes of direct memory", one.directBytes(), DIRECT_GROWTH_MAX);
      lack(lacks, when, node, "open files", one.files(), FILES_GROWTH_MAX);
      most =
          new Growth(
              Math.max(most.heapBytes(), one.heapBytes()),
              Math.max(most.directBytes(), one.directBytes()),
              Math.max(most.residentBytes(), one.residentBytes()),
              Math.max(most.files(), one.files()));
    }
    return most;
  }

  private static void lack(
      List<String> lacks, String when, int node, String what, long growth, long max) {
    if (growth > max) {
      lacks.add(
          "%s: node %d holds %,d %s more than at first, a minute later"
              .formatted(when, node, growth, what));
    }
  }

  @Override
  public void close() throws IOException {
    for (NodeGauge gauge : gauges.values()) {
      try {
        gauge.close();
      } catch (IOException gone) {
        // With its process, which was found out before.
      }
    }
  }
}
