package org.ecstore.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

/**
 * What starts and ends the processes of a simulated world, whichever node asks. It hangs, is slow,
 * rests or lies, and says what is wrong with its orders.
 */
final class SimProvisioner implements Provisioner {
  /** So much later than an action is over an order for it is a fault. */
  private static final long LATE_NANOS = 30 * ControlledRun.SECOND;

  /** Orders of an action that a provisioner which lies follows otherwise than it says. */
  private static final int LIES = 2;

  /** How much greater than the number that was asked for that of another node is. */
  private static final int OTHER = 5;

  private final World world;
  private final ControlSight sight;
  private final ControlWatch watch;
  private final SimRandom random;
  private final boolean isBad;
  private final Map<Long, Set<NodeId>> ordered = new HashMap<>();
  private final Set<NodeId> removed = new HashSet<>();

  /** How often something was ordered, by action. */
  private final Map<Long, Integer> orders = new HashMap<>();

  /** How often it was told to take a node away. */
  private final Map<NodeId, Integer> removals = new HashMap<>();

  private boolean lies;
  private boolean rests;

  /**
   * One that has started nothing yet.
   *
   * @param watch hears what is wrong, and knows which actions are over
   * @param isBad whether it hangs in six of ten orders, and takes up to a minute for the others
   */
  SimProvisioner(
      World world, ControlSight sight, ControlWatch watch, SimRandom random, boolean isBad) {
    this.world = world;
    this.sight = sight;
    this.watch = watch;
    this.random = random;
    this.isBad = isBad;
  }

  /**
   * It says of each order that it was followed. Of the first for an action it brings another node,
   * or does not take away; of the second it brings one that ends at once.
   */
  void lies() {
    lies = true;
  }

  /** Whether it does nothing at all, whatever it is told. */
  void rests(boolean isSo) {
    rests = isSo;
  }

  /** A node goes for good. */
  void lose(NodeId node) {
    removed.add(node);
    sight.host(node).ifPresent(SimHost::crash);
  }

  /** Whether a node was taken away, or has gone for good. */
  boolean hasGone(NodeId node) {
    return removed.contains(node);
  }

  /** How often it was told to take a node away. */
  int removalsOf(NodeId node) {
    return removals.getOrDefault(node, 0);
  }

  /** Whether anything was ordered for an action. */
  boolean hasOrder(long action) {
    return orders.containsKey(action);
  }

  @Override
  public boolean isThere() {
    return true;
  }

  @Override
  public String words() {
    return lies ? "all that was ordered is there" : "the world";
  }

  /** Counts an order; which of its action it is, from 1. */
  private int counted(long action, NodeId node) {
    if (watch.isOverLonger(action, LATE_NANOS)) {
      watch.fault("action " + action + " orders " + node + " and was over long before");
    }
    return orders.merge(action, 1, Integer::sum);
  }

  private boolean hangs() {
    return rests || (isBad && random.chance(0.6));
  }

  private long delay() {
    return isBad ? random.between(ControlledRun.MILLI, ControlledRun.MINUTE) : ControlledRun.SECOND;
  }

  @Override
  public void add(long action, NodeId node) {
    int order = counted(action, node);
    Set<NodeId> nodes = ordered.computeIfAbsent(action, _ -> new HashSet<>());
    nodes.add(node);
    if (nodes.size() > 1) {
      watch.fault("action " + action + " has ordered " + nodes);
    }
    if (removed.contains(node)) {
      watch.fault(node + " is ordered and was removed before");
    } else if (lies && order <= LIES) {
      lie(order, node);
    } else if (!hangs()) {
      startAfter(delay(), node);
    }
  }

  private void startAfter(long nanos, NodeId node) {
    world.scheduler().after(nanos, () -> sight.host(node).ifPresent(SimHost::start));
  }

  private void lie(int order, NodeId node) {
    if (order == 1) {
      startAfter(ControlledRun.SECOND, new NodeId(node.value() + OTHER));
    } else {
      startAfter(ControlledRun.SECOND, node);
      world
          .scheduler()
          .after(2 * ControlledRun.SECOND, () -> sight.host(node).ifPresent(SimHost::crash));
    }
  }

  @Override
  public void remove(long action, NodeId node) {
    int order = counted(action, node);
    removals.merge(node, 1, Integer::sum);
    if (sight.placed().contains(node)) {
      watch.fault(node + " is taken away with what it has");
    }
    boolean isLie = lies && order <= LIES;
    if (!isLie && !hangs()) {
      world.scheduler().after(delay(), () -> lose(node));
    }
  }
}
