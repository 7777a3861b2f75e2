package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveBookCodec;
import org.ecstore.txn.qos.objective.ObjectiveChange;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Objectives that are told while leaders die and coordination's answers get lost: what was said to
 * be kept is kept, and nothing is done twice.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ObjectivesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 3;
  private static final int REQUESTS = 30;
  private static final int APPLICATIONS = 3;
  private static final int SEEDS = 6;

  /** How a keeper is made. */
  private interface Keepers {
    ObjectiveKeeper of(ServiceLevels.Surroundings with);
  }

  private static ObjectiveKeeper right(ServiceLevels.Surroundings with) {
    return new ObjectiveKeeper(
        with.context(), with.leads(), 100 * MILLI, 30 * SECOND, with.decisions());
  }

  /** Says that a change is kept though its outcome is not known. */
  private static ObjectiveKeeper hopeful(ServiceLevels.Surroundings with) {
    return new ObjectiveKeeper(
        with.context(), with.leads(), 100 * MILLI, 30 * SECOND, with.decisions()) {
      @Override
      protected boolean isTaken(CoordinationResult result) {
        return true;
      }
    };
  }

  /** Does not look whether it has done a request without hearing of it. */
  private static ObjectiveKeeper forgetful(ServiceLevels.Surroundings with) {
    return new ObjectiveKeeper(
        with.context(), with.leads(), 100 * MILLI, 30 * SECOND, with.decisions()) {
      @Override
      protected boolean isDone(ObjectiveBook book, long request) {
        return false;
      }
    };
  }

  private static final class Parts extends NodeParts {
    private final Keepers keepers;

    Parts(Keepers keepers) {
      this.keepers = keepers;
    }

    @Override
    public ServiceLevels serviceLevels(ServiceLevels.Surroundings with, NodeSettings settings) {
      return new ServiceLevels(with, settings.control(), provisioner()) {
        @Override
        protected ObjectiveKeeper newKeeper(Surroundings with) {
          return keepers.of(with);
        }
      };
    }
  }

  /** One operator, who tells each request until it is over, to the node that leads. */
  private static final class Run {
    private final World world;
    private final SimCluster cluster;
    private final SimRandom random;
    private final List<String> faults = new ArrayList<>();

    /** What was said to be kept last, by application: the rate, or empty if it was removed. */
    private final Map<String, Optional<Long>> kept = new TreeMap<>();

    Run(long seed, Keepers keepers) {
      world = new World(seed, new Trace(null));
      random = world.random("operator");
      cluster =
          new SimCluster(
              world,
              troubled(),
              new NodeMutation(
                  "objectives",
                  (self, settings, ports) -> new Node(self, settings, new Parts(keepers), ports),
                  NodeMutation.ClientBehaviour.RIGHT),
              id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(3));
    }

    private static SwarmSettings troubled() {
      return CalmCluster.settings(
          NODES,
          new SwarmSettings.CoordinationFaults(
              20 * MILLI, 20 * MILLI, SECOND, 200 * MILLI, 0.4, 0));
    }

    List<String> run() {
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      for (int i = 1; i <= REQUESTS; i++) {
        tell(i);
      }
      check(book());
      world.violations().forEach(violation -> faults.add(violation.toString()));
      return faults;
    }

    private ObjectiveBook book() {
      return cluster
          .coordination()
          .value(ObjectiveKeeper.KEY)
          .map(ObjectiveBookCodec::decode)
          .orElse(ObjectiveBook.EMPTY);
    }

    private void tell(int id) {
      String application = "app" + random.between(1, APPLICATIONS);
      boolean removes = random.chance(0.2);
      AdminRequest.OfObjectives request =
          removes
              ? new AdminRequest.RemoveObjective(application, id)
              : new AdminRequest.SetObjective(objective(application, id), id);
      long crashAt = random.chance(0.5) ? random.between(0, 60) : -1;
      Optional<Outcome> outcome = Optional.empty();
      for (int look = 0; outcome.isEmpty() && look < 10_000; look++) {
        if (look == crashAt) {
          crash();
        }
        outcome = told(request, id);
        CalmCluster.run(world, random.between(MILLI, 20 * MILLI));
      }
      if (outcome.isEmpty()) {
        faults.add("request " + id + " does not come to an end");
      } else if (outcome.get() == Outcome.DONE) {
        kept.put(application, removes ? Optional.empty() : Optional.of((long) id));
      } else if (!removes || kept.getOrDefault(application, Optional.empty()).isPresent()) {
        faults.add("request " + id + " is " + outcome.get());
      }
    }

    private Optional<Outcome> told(AdminRequest request, long id) {
      SimHost leader = CalmCluster.leader(cluster);
      if (!(leader.machine() instanceof Node node)) {
        return Optional.empty();
      }
      Decision decision = node.adminRequest(request, id);
      boolean isOver = decision.number() > 0 && decision.outcome() != Outcome.UNDER_WAY;
      return isOver && decision.outcome() != Outcome.PUT_OFF
          ? Optional.of(decision.outcome())
          : Optional.empty();
    }

    private void crash() {
      SimHost leader = CalmCluster.leader(cluster);
      if (leader.isUp()) {
        leader.crash();
        world.scheduler().after(random.between(MILLI, 3 * SECOND), leader::start);
      }
    }

    private void check(ObjectiveBook book) {
      kept.forEach(
          (application, rate) -> {
            Optional<Long> found =
                book.of(application).map(Promise::objective).map(ObjectivesSimTest::rate);
            if (!found.equals(rate)) {
              faults.add("%s is %s, not %s".formatted(application, found, rate));
            }
          });
      Set<Long> requests = new HashSet<>();
      long number = 0;
      for (ObjectiveChange change : book.changes()) {
        number++;
        if (change.number() != number) {
          faults.add("change %d has number %d".formatted(number, change.number()));
        }
        if (!requests.add(change.request())) {
          faults.add("request " + change.request() + " was done twice");
        }
      }
    }
  }

  private static Objective objective(String application, long rate) {
    return new Objective(
        application,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
        ObjectiveWorkload.UNSTATED.with(new OperationRate(rate)));
  }

  private static long rate(Objective objective) {
    return objective.workload().load().orElseThrow() instanceof OperationRate(var perSecond)
        ? perSecond
        : 0;
  }

  private static List<String> faults(Keepers keepers) {
    return LongStream.rangeClosed(1, SEEDS)
        .mapToObj(seed -> new Run(seed, keepers).run())
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void whatWasSaidToBeKeptIsKeptAndDoneOnce() {
    assertEquals(List.of(), faults(ObjectivesSimTest::right));
  }

  @Test
  void aKeeperThatDoesNotLookWhetherAChangeWasTakenIsFound() {
    List<String> faults = faults(ObjectivesSimTest::hopeful);
    assertTrue(faults.stream().anyMatch(fault -> fault.contains(", not ")), faults::toString);
  }

  /** It refuses to remove what it has removed. */
  @Test
  void aKeeperThatDoesNotKnowWhatItHasDoneIsFound() {
    List<String> faults = faults(ObjectivesSimTest::forgetful);
    assertTrue(faults.stream().anyMatch(fault -> fault.endsWith("REFUSED")), faults::toString);
  }
}
