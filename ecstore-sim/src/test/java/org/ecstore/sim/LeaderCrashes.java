package org.ecstore.sim;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ControlAction;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

/** Crashes the node that leads a {@link ControlledRun}, at random or at each step of an action. */
final class LeaderCrashes {
  private static final long STEP_LOOK_NANOS = 20 * ControlledRun.MILLI;

  private final World world;
  private final ControlSight sight;
  private final SimProvisioner provisioner;
  private final SimRandom random;

  /** Steps at which the leader was killed, with the numbers of actions and without. */
  private final Set<String> killed = new HashSet<>();

  private final SortedSet<String> killedAt = new TreeSet<>();

  LeaderCrashes(World world, ControlSight sight, SimProvisioner provisioner, SimRandom random) {
    this.world = world;
    this.sight = sight;
    this.provisioner = provisioner;
    this.random = random;
  }

  /** The leader crashes, and comes back; returns whether there was one. */
  boolean crash() {
    Optional<SimHost> leader = sight.leader().filter(SimHost::isUp);
    leader.ifPresent(this::crash);
    return leader.isPresent();
  }

  private void crash(SimHost leader) {
    leader.crash();
    world
        .scheduler()
        .after(
            random.between(ControlledRun.MILLI, 3 * ControlledRun.SECOND),
            () -> {
              if (!provisioner.hasGone(leader.id())) {
                leader.start();
              }
            });
  }

  /** The leader crashes within some time. */
  void within(long nanos) {
    world.scheduler().after(random.between(ControlledRun.MILLI, nanos), this::crash);
  }

  /** From now on the leader crashes every few minutes. */
  void againAndAgain() {
    world
        .scheduler()
        .after(
            random.between(20 * ControlledRun.SECOND, 300 * ControlledRun.SECOND),
            () -> {
              crash();
              againAndAgain();
            });
  }

  /** From now on the leader crashes each time that an action is seen to be a step further. */
  void atEachStep() {
    CalmCluster.every(
        world,
        STEP_LOOK_NANOS,
        () ->
            step()
                .ifPresent(
                    step -> {
                      ControlAction last = sight.actions().getLast();
                      String named = last.kind().words() + ": " + step;
                      String key = last.number() + " " + named;
                      if (!killed.contains(key) && crash()) {
                        killed.add(key);
                        killedAt.add(named);
                      }
                    }));
  }

  /** At which steps of which actions it has crashed: {@code add node: ordered}. */
  SortedSet<String> killedAt() {
    return killedAt;
  }

  /** How far the last action is, in words; empty if there is none, or it only was considered. */
  private Optional<String> step() {
    return sight.actions().isEmpty() ? Optional.empty() : step(sight.actions().getLast());
  }

  private Optional<String> step(ControlAction action) {
    return switch (action.stage()) {
      case UNDER_WAY -> Optional.of(action.node().map(node -> step(action, node)).orElse("begun"));
      case MEASURING -> Optional.of("measuring");
      case DONE -> Optional.of("done");
      case PROPOSED, FAILED, WITHDRAWN -> Optional.empty();
    };
  }

  private String step(ControlAction action, NodeId node) {
    boolean hasPlace = sight.placed().contains(node);
    boolean runs = sight.runs(node);
    if (action.kind() == ActionKind.ADD_NODE) {
      String ordering = provisioner.hasOrder(action.number()) ? "ordered" : "begun";
      return hasPlace ? "has its place" : runs ? "runs" : ordering;
    }
    return hasPlace ? "begun" : runs ? "drained" : "gone";
  }
}
