package org.ecstore.server.fault;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;

/**
 * What is wrong with a cluster of this process at the moment: which nodes are apart from the
 * others, which stand still, which links are slow. Its one thread does what takes time, as the end
 * of a session. Safe for use by several threads.
 */
public final class ClusterFaults implements AutoCloseable {
  /** A member that is not heard of for so long is none. */
  static final Duration SESSION = Duration.ofSeconds(1);

  /** A call to a service that is out of reach fails after so long. */
  static final Duration CALL = Duration.ofMillis(500);

  private record Link(NodeId from, NodeId to) {}

  private final ScheduledExecutorService timer;
  private final Map<Link, Long> slowNanos = new ConcurrentHashMap<>();
  private final Set<NodeId> paused = ConcurrentHashMap.newKeySet();
  private volatile Set<NodeId> apart = Set.of();

  /** Nothing is wrong yet. */
  public ClusterFaults() {
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("ecstore-faults").daemon().factory());
    one.setRemoveOnCancelPolicy(true);
    one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timer = one;
  }

  /**
   * Parts these nodes from all others, and from ledger and coordination; in place of those before.
   */
  public void part(Set<NodeId> nodes) {
    apart = Set.copyOf(nodes);
  }

  /** Whether a node reaches neither ledger nor coordination. */
  public boolean isApart(NodeId node) {
    return apart.contains(node);
  }

  /** Whether what one node says to another is lost. */
  boolean isCut(NodeId from, NodeId to) {
    Set<NodeId> now = apart;
    return now.contains(from) != now.contains(to);
  }

  /** A node stands still, or goes on. */
  public void paused(NodeId node, boolean stands) {
    if (stands) {
      paused.add(node);
    } else {
      paused.remove(node);
    }
  }

  /** Whether a node stands still. */
  public boolean isPaused(NodeId node) {
    return paused.contains(node);
  }

  /** Whether coordination hears nothing of a node. */
  boolean isSilent(NodeId node) {
    return isApart(node) || isPaused(node);
  }

  /** What one node says to another arrives so much later from now on. */
  public void slow(NodeId from, NodeId to, Duration delay) {
    if (delay.isZero()) {
      slowNanos.remove(new Link(from, to));
    } else {
      slowNanos.put(new Link(from, to), delay.toNanos());
    }
  }

  /** Those of the ways from a node. */
  public LinkFaults from(NodeId self) {
    return new LinkFaults() {
      @Override
      public boolean isCut(NodeId to) {
        return ClusterFaults.this.isCut(self, to);
      }

      @Override
      public long delayNanos(NodeId to) {
        return slowNanos.getOrDefault(new Link(self, to), 0L);
      }
    };
  }

  /** Does something after a while, on the thread of this object, unless it is closed by then. */
  void after(Duration time, Runnable action) {
    if (!timer.isShutdown()) {
      try {
        var _ = timer.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Closed meanwhile: its nodes are gone.
      }
    }
  }

  /** What was to be done later is not done. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
