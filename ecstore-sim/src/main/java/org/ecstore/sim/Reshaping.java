package org.ecstore.sim;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.steward.decision.Decision;

/**
 * An operator who is never content with the ranges as they are: splits and merges them at any time,
 * and just when a vote is on its way (rule 17).
 */
final class Reshaping {
  private static final double AT_VOTE = 0.03;
  private static final int RANGES_WANTED = 8;

  private final World world;
  private final SimRandom random;
  private final List<SimHost> hosts;
  private final Consumer<String> note;

  Reshaping(World world, List<SimHost> hosts, Consumer<String> note) {
    this.world = world;
    this.random = world.random("reshaping");
    this.hosts = hosts;
    this.note = note;
  }

  /** A yes was given: the range may be another when it is counted. */
  void atVote(SimHost leader) {
    if (random.chance(AT_VOTE)) {
      world
          .scheduler()
          .after(
              random.skewedNanos(SwarmSettings.MICRO, 20 * SwarmSettings.MILLI),
              () -> {
                if (world.faulty()) {
                  adminRequest(leader);
                }
              });
    }
  }

  /** Wants something of the steward on a node, if there is one. */
  void adminRequest(SimHost leader) {
    if (leader.machine() instanceof Node node) {
      Optional<AdminRequest> adminRequest = something();
      if (adminRequest.isPresent()) {
        Decision decision = node.adminRequest(adminRequest.get());
        boolean refused = decision.outcome() == Decision.Outcome.REFUSED;
        note.accept(refused ? "request refused" : name(adminRequest.get()));
        world.line("reshaping", decision.toString());
      }
    }
  }

  private static String name(AdminRequest adminRequest) {
    return switch (adminRequest) {
      case AdminRequest.Split _ -> "request to split";
      case AdminRequest.Merge _ -> "request to merge";
      case AdminRequest.Move _ -> "request to move";
      case AdminRequest.Drain _ -> "request to drain";
      case AdminRequest.Rebalance _ -> "request to rebalance";
      case AdminRequest.SetObjective _ -> "request to set an objective";
      case AdminRequest.RemoveObjective _ -> "request to remove an objective";
      case AdminRequest.SetControl _ -> "request to set the controller";
      case AdminRequest.ChangeControl _ -> "request to change the controller";
      case AdminRequest.AnswerAction _ -> "request to answer an action";
      case AdminRequest.UseTable _ -> "request to use a table";
      case AdminRequest.RemoveTable _ -> "request to remove a table";
    };
  }

  private Optional<AdminRequest> something() {
    List<CopyView> served =
        hosts.stream()
            .map(SimHost::machine)
            .flatMap(machine -> machine instanceof Node node ? Stream.of(node) : Stream.empty())
            .flatMap(node -> node.inspect().copies().stream())
            .filter(copy -> copy.epoch().value() > 0)
            .toList();
    if (served.isEmpty()) {
      return Optional.empty();
    }
    List<RangeId> ranges = served.stream().map(CopyView::id).distinct().sorted().toList();
    CopyView one = random.pick(served);
    if (random.chance(ranges.size() < RANGES_WANTED ? 0.6 : 0.2)) {
      return Optional.of(
          new AdminRequest.Split(
              one.id(),
              random.chance(0.5)
                  ? Optional.empty()
                  : Optional.of(SimKeys.bound(random.between(0, SimKeys.places())))));
    }
    if (random.chance(0.03)) {
      return Optional.of(new AdminRequest.Rebalance());
    }
    if (random.chance(0.06)) {
      return Optional.of(new AdminRequest.Drain(random.pick(hosts).id()));
    }
    if (random.chance(0.5)) {
      Optional<NodeId> from =
          random.chance(0.5) ? Optional.empty() : Optional.of(random.pick(hosts).id());
      return Optional.of(new AdminRequest.Move(one.id(), random.pick(hosts).id(), from));
    }
    // Two that are adjacent, as a rule.
    Optional<CopyView> next =
        served.stream()
            .filter(copy -> one.keys().end().equals(Optional.of(copy.keys().start())))
            .findFirst();
    return Optional.of(
        new AdminRequest.Merge(one.id(), next.map(CopyView::id).orElse(random.pick(ranges))));
  }
}
