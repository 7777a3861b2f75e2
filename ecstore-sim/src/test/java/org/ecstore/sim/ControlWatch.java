package org.ecstore.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;

/** Looks each second what the controller of a {@link ControlledRun} does, and what is wrong. */
final class ControlWatch {
  private static final long THRESHOLD_NANOS = ControlledRun.MINUTE;

  private final World world;
  private final ControlSight sight;
  private final ModelledClients clients;
  private final double promisedNanos;
  private final List<String> faults = new ArrayList<>();

  /** Actions that take a node away, as they were seen first. */
  private final Set<Long> seen = new HashSet<>();

  /** When actions were seen first, and when they were seen to be over, by their numbers. */
  private final SortedMap<Long, Long> begun = new TreeMap<>();

  private final SortedMap<Long, Long> over = new TreeMap<>();

  /** Thresholds of hot-spot replicas that were ever written down. */
  private final Set<Long> thresholds = new HashSet<>(Set.of(0L));

  /** Since when nodes have been told another threshold than is written down. */
  private final SortedMap<NodeId, Long> otherThreshold = new TreeMap<>();

  private int placesLeast = ControlledRun.NODES;

  /**
   * One that has seen nothing yet.
   *
   * @param promisedNanos what a response time may be
   */
  ControlWatch(World world, ControlSight sight, ModelledClients clients, double promisedNanos) {
    this.world = world;
    this.sight = sight;
    this.clients = clients;
    this.promisedNanos = promisedNanos;
  }

  void look() {
    placesLeast = Math.min(placesLeast, sight.places());
    for (ControlAction action : sight.actions()) {
      begun.putIfAbsent(action.number(), world.nowNanos());
      if (action.stage().isOver()) {
        over.putIfAbsent(action.number(), world.nowNanos());
      }
      boolean hasMoved =
          action.stage() == ActionStage.MEASURING || action.stage() == ActionStage.DONE;
      if (action.kind() == ActionKind.REBALANCE && hasMoved) {
        clients.even();
      }
    }
    lookAtThresholds();
    long open = sight.actions().stream().filter(action -> !action.stage().isOver()).count();
    sight
        .book()
        .current()
        .filter(action -> action.kind() == ActionKind.REMOVE_NODE && seen.add(action.number()))
        .ifPresent(
            action -> {
              if (action.node().filter(sight.placed()::contains).isEmpty()) {
                // It has nothing: it is no loss.
                return;
              }
              if (sight.places() <= ControlledRun.NODES) {
                fault(action.what() + ", which copies need");
              } else if (clients.responseNanos(sight.places() - 1) > promisedNanos) {
                fault(action.what() + ", which the promise needs");
              }
            });
    if (open > 1) {
      fault("two actions at a time: " + sight.actions());
    }
  }

  /**
   * Nodes are told what is written down, and nothing else: after a check, or as many as it takes
   * another node to lead.
   */
  private void lookAtThresholds() {
    long written = sight.book().hotThreshold().perSecond();
    thresholds.add(written);
    for (SimHost host : sight.running()) {
      long told = host.machine() instanceof Node node ? node.hotThreshold() : written;
      if (!thresholds.contains(told)) {
        fault("a node was told a threshold of " + told + "/s, which never was written down");
      }
      if (told == written) {
        otherThreshold.remove(host.id());
      } else {
        long since = otherThreshold.computeIfAbsent(host.id(), _ -> world.nowNanos());
        if (world.nowNanos() - since > THRESHOLD_NANOS) {
          fault(host.id() + " goes by a threshold other than is written down");
        }
      }
    }
  }

  /** Something is wrong; the same is noted once. */
  void fault(String text) {
    if (!faults.contains(text)) {
      faults.add(text);
    }
  }

  /** What was found to be wrong by now. */
  List<String> faults() {
    world.violations().forEach(violation -> fault(violation.toString()));
    return List.copyOf(faults);
  }

  /** Whether an action was seen to be over longer than so many nanoseconds ago. */
  boolean isOverLonger(long action, long nanos) {
    Long at = over.get(action);
    return at != null && world.nowNanos() > at + nanos;
  }

  /** The fewest nodes that had places since there were three. */
  int placesLeast() {
    return placesLeast;
  }

  /** Actions that were begun within that time, up to now. */
  long begunWithin(long nanos) {
    return begun.values().stream().filter(at -> at > world.nowNanos() - nanos).count();
  }
}
