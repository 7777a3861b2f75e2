package org.ecstore.bench.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.Scheduler;

/**
 * Clients at every node, each of which begins its next operation when the last one has ended, as
 * the paper submits work (§6.1). What happens in the first part of the operations is not counted;
 * clients go on until the last one that counts has ended.
 */
public final class ClosedLoop {
  /** An operation of a client at a node. */
  public interface Operation {
    void start(NodeId client, long number, Runnable done);
  }

  /**
   * What was measured.
   *
   * @param perSecond operations per second of virtual time
   * @param queries answered by each node, in key order
   */
  public record Outcome(
      double perSecond,
      double meanMillis,
      double medianMillis,
      double p99Millis,
      List<Long> queries) {
    /** The heaviest-loaded node's queries by the lightest-loaded one's (§6.3.2). */
    public double imbalance() {
      return (double) Collections.max(queries) / Math.max(1, Collections.min(queries));
    }

    /** How much of all queries the heaviest-loaded node has served. */
    public double heaviestShare() {
      return (double) Collections.max(queries) / queries.stream().mapToLong(q -> q).sum();
    }
  }

  private final Scheduler scheduler;
  private final ModelCluster cluster;
  private final Operation operation;
  private final long uncounted;
  private final long last;
  private final List<Long> latencies = new ArrayList<>();
  private long begun;
  private long ended;
  private long sinceNanos;

  private ClosedLoop(ModelCluster cluster, long uncounted, long counted, Operation operation) {
    this.scheduler = cluster.scheduler();
    this.cluster = cluster;
    this.operation = operation;
    this.uncounted = uncounted;
    this.last = uncounted + counted;
  }

  /**
   * Runs so many operations.
   *
   * @param clientsPerNode how many operations are under way at each node
   * @param uncounted operations of all clients together before counting begins
   */
  public static Outcome run(
      ModelCluster cluster, int clientsPerNode, long uncounted, long counted, Operation operation) {
    ClosedLoop loop = new ClosedLoop(cluster, uncounted, counted, operation);
    for (NodeId node : cluster.nodes()) {
      for (int i = 0; i < clientsPerNode; i++) {
        loop.next(node);
      }
    }
    while (loop.ended < loop.last) {
      if (!loop.scheduler.step(Long.MAX_VALUE)) {
        throw new IllegalStateException("nothing is under way after " + loop.ended);
      }
    }
    return loop.outcome();
  }

  private void next(NodeId client) {
    long startNanos = scheduler.nowNanos();
    operation.start(
        client,
        begun++,
        () -> {
          ended++;
          if (ended == uncounted) {
            cluster.forgetQueries();
            sinceNanos = scheduler.nowNanos();
          } else if (ended > uncounted && ended <= last) {
            latencies.add(scheduler.nowNanos() - startNanos);
          }
          if (ended < last) {
            // Not within this one: a reader at its own node would never come back.
            scheduler.after(0, () -> next(client));
          }
        });
  }

  private Outcome outcome() {
    Collections.sort(latencies);
    double seconds = (scheduler.nowNanos() - sinceNanos) / 1e9;
    double mean = latencies.stream().mapToLong(l -> l).average().orElse(0);
    return new Outcome(
        latencies.size() / seconds,
        mean / 1e6,
        latencies.get(latencies.size() / 2) / 1e6,
        latencies.get((int) (latencies.size() * 0.99)) / 1e6,
        cluster.queries());
  }
}
