package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.limit.QuotaLimits;
import org.ecstore.txn.message.TxnMessage.QuotaStance;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.qos.quota.QuotaKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An application that grows over its quota and comes back, while leaders die: it never holds more
 * than its quota and what it wrote in some seconds, its deletes and the writes of others are always
 * taken, and what it adds is taken again once there is room.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("slow")
final class QuotaSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long MINUTE = 60 * SECOND;
  private static final int NODES = 3;
  private static final int SEEDS = 2;
  private static final int VALUE = 1_000;
  private static final long WRITE_NANOS = 50 * MILLI;
  private static final int WRITES_PER_SECOND = 20;
  private static final long QUOTA = 600_000;

  /** Records of another application in the same ranges, which count for nothing. */
  private static final int OTHERS = 500;

  /** What is written within a period of reports, a look of the leader's, and some more. */
  private static final long OVERSHOOT = 10L * WRITES_PER_SECOND * VALUE;

  private static final ClientReply NOT_BEGUN =
      new ClientReply.Refused(RefusalCode.UNAVAILABLE, "no node began a snapshot");

  /** Whose parts are planted. */
  private interface Plant {
    default QuotaStance undecided(QuotaStance right) {
      return right;
    }

    default boolean adds(boolean right) {
      return right;
    }
  }

  private static final class PlantedQuotas extends NodeParts {
    private final Plant plant;

    PlantedQuotas(Plant plant) {
      this.plant = plant;
    }

    @Override
    public QuotaLimits quotaLimits() {
      return new QuotaLimits() {
        @Override
        protected boolean adds(KeyWrite write) {
          return plant.adds(super.adds(write));
        }
      };
    }

    @Override
    public ServiceLevels serviceLevels(ServiceLevels.Surroundings with, NodeSettings settings) {
      return new ServiceLevels(with, settings.control(), provisioner()) {
        @Override
        protected QuotaKeeper newQuotaKeeper(Surroundings with, ObjectiveKeeper promised) {
          return new QuotaKeeper(
              with.context(),
              with.leads(),
              with.ranges(),
              with.cluster()::members,
              promised,
              with.decisions()) {
            @Override
            protected QuotaStance undecided() {
              return plant.undecided(super.undecided());
            }
          };
        }
      };
    }
  }

  private static final class Run {
    private final World world;
    private final SimCluster cluster;
    private final SimRandom random;
    private final SimClient client;
    private final List<String> faults = new ArrayList<>();

    /** Bytes of what is there for certain, by number. */
    private final Map<Long, Long> records = new TreeMap<>();

    /** What may be there. */
    private final Set<Long> doubtful = new HashSet<>();

    private final Map<String, Integer> taken = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();
    private boolean writes = true;
    private long last;
    private long transactions;
    private long most;

    Run(long seed, Plant plant) {
      world = new World(seed, new Trace(null));
      random = world.random("quota");
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(NODES, 20 * MILLI),
              new NodeMutation(
                  "quotas",
                  (self, settings, ports) ->
                      new Node(self, settings, new PlantedQuotas(plant), ports),
                  NodeMutation.ClientBehaviour.RIGHT),
              id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(NODES));
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, MINUTE);
      client = CalmCluster.client(world, cluster);
    }

    private void every(long nanos, Runnable action) {
      world
          .scheduler()
          .after(
              nanos,
              () -> {
                action.run();
                every(nanos, action);
              });
    }

    private void fault(String text) {
      if (!faults.contains(text)) {
        faults.add(text);
      }
    }

    private long held() {
      return records.values().stream().mapToLong(Long::longValue).sum();
    }

    private long heldAtMost() {
      return held() + doubtful.size() * (VALUE + 100L);
    }

    private int refused(String what) {
      return refused.getOrDefault(what, 0);
    }

    private int taken(String what) {
      return taken.getOrDefault(what, 0);
    }

    private void crashLater() {
      world
          .scheduler()
          .after(
              random.between(10 * SECOND, 30 * SECOND),
              () -> {
                crash();
                crashLater();
              });
    }

    private void crash() {
      if (cluster.coordination().leader().isEmpty()) {
        return;
      }
      SimHost leader = CalmCluster.leader(cluster);
      if (leader.isUp()) {
        leader.crash();
        world.scheduler().after(random.between(MILLI, 3 * SECOND), leader::start);
      }
    }

    private void commit(String what, List<KeyWrite> all, Consumer<Optional<ClientReply>> then) {
      List<NodeId> up = cluster.hosts().stream().filter(SimHost::isUp).map(SimHost::id).toList();
      if (up.isEmpty()) {
        then.accept(Optional.of(NOT_BEGUN));
        return;
      }
      NodeId node = random.pick(up);
      client.call(
          node,
          new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO),
          2 * SECOND,
          begun -> {
            if (begun.orElse(null) instanceof ClientReply.Begun at) {
              client.call(
                  node,
                  new ClientRequest.Commit(
                      new TxnId(1, ++transactions),
                      at.point(),
                      Isolation.SNAPSHOT,
                      List.of(),
                      List.of(),
                      all,
                      3_000),
                  10 * SECOND,
                  reply -> {
                    count(what, reply);
                    then.accept(reply);
                  });
            } else {
              then.accept(Optional.of(NOT_BEGUN));
            }
          });
    }

    private void count(String what, Optional<ClientReply> reply) {
      if (reply.orElse(null) instanceof ClientReply.Committed) {
        taken.merge(what, 1, Integer::sum);
      } else if (reply.orElse(null) instanceof ClientReply.Refused no
          && no.code() == RefusalCode.OVER_QUOTA) {
        refused.merge(what, 1, Integer::sum);
      }
    }

    private static boolean isKnown(Optional<ClientReply> reply) {
      return reply
          .filter(
              one ->
                  one instanceof ClientReply.Aborted
                      || one instanceof ClientReply.Refused
                      || one instanceof ClientReply.WrongRange)
          .isPresent();
    }

    private static Bytes key(long number) {
      return Tuple.of("users", number).encode();
    }

    private void write() {
      if (!writes) {
        return;
      }
      long number = ++last;
      KeyWrite put = new KeyWrite(key(number), Optional.of(Bytes.wrap(new byte[VALUE])));
      doubtful.add(number);
      commit(
          "add",
          List.of(put),
          reply -> {
            if (reply.orElse(null) instanceof ClientReply.Committed) {
              doubtful.remove(number);
              records.put(number, (long) VALUE + put.key().length());
              most = Math.max(most, held());
            } else if (isKnown(reply)) {
              doubtful.remove(number);
            }
          });
    }

    private void writeOther() {
      commit(
          "other",
          List.of(
              new KeyWrite(
                  Tuple.of("logs", random.between(1, OTHERS)).encode(),
                  Optional.of(Bytes.wrap(new byte[VALUE])))),
          _ -> {});
    }

    /** Deletes some of what there is, and may be. */
    private void delete(int count) {
      List<Long> numbers = new ArrayList<>(doubtful);
      numbers.addAll(records.keySet());
      List<Long> some = numbers.stream().sorted().limit(count).toList();
      commit(
          "delete",
          some.stream().map(number -> new KeyWrite(key(number), Optional.<Bytes>empty())).toList(),
          reply -> {
            if (reply.orElse(null) instanceof ClientReply.Committed) {
              some.forEach(records::remove);
              some.forEach(doubtful::remove);
            }
          });
    }

    private void tell(AdminRequest request) {
      Optional<Outcome> outcome = Optional.empty();
      for (int look = 0; outcome.isEmpty() && look < 10_000; look++) {
        if (cluster.coordination().leader().isPresent()
            && CalmCluster.leader(cluster).machine() instanceof Node node) {
          Decision decision = node.adminRequest(request, 1);
          outcome =
              Optional.of(decision.outcome())
                  .filter(one -> decision.number() > 0 && one == Outcome.DONE);
        }
        CalmCluster.run(world, 20 * MILLI);
      }
      assertEquals(Optional.of(Outcome.DONE), outcome);
    }

    private void limit() {
      tell(
          new AdminRequest.SetObjective(
              new Objective(
                      "shop",
                      List.of("users"),
                      ServiceClass.BEST_EFFORT,
                      1,
                      List.of(),
                      ObjectiveWorkload.UNSTATED)
                  .quota(QUOTA),
              1));
    }

    /** Whether one record more is taken, while nothing else is written. */
    private boolean takesOne() {
      int before = taken("add");
      writes = true;
      write();
      writes = false;
      CalmCluster.run(world, 5 * SECOND);
      return taken("add") > before;
    }

    private void deleteTo(long bytes, int atOnce) {
      for (int i = 0; i < 1_000 && heldAtMost() > bytes; i++) {
        delete(atOnce);
        CalmCluster.run(world, 200 * MILLI);
      }
      CalmCluster.run(world, 45 * SECOND);
    }

    /** It has deleted, and not enough; then the leader is another. */
    List<String> between() {
      limit();
      every(WRITE_NANOS, this::write);
      CalmCluster.run(world, MINUTE);
      writes = false;
      CalmCluster.run(world, 15 * SECOND);
      deleteTo(QUOTA * 97 / 100, 5);
      if (takesOne()) {
        fault("taken at " + held());
      }
      for (int i = 0; i < 3; i++) {
        crash();
        CalmCluster.run(world, 30 * SECOND);
        if (takesOne()) {
          fault("another leader takes it at " + held());
        }
      }
      deleteTo(QUOTA * 90 / 100, 5);
      if (!takesOne()) {
        fault("not taken at " + held());
      }
      world.violations().forEach(violation -> fault(violation.toString()));
      return faults;
    }

    List<String> run() {
      limit();
      every(WRITE_NANOS, this::write);
      every(200 * MILLI, this::writeOther);
      CalmCluster.run(world, 20 * SECOND);
      if (refused("add") > 0) {
        fault("refused at " + heldAtMost() + " of " + QUOTA);
      }
      crashLater();
      for (int times = 1; times <= 2; times++) {
        grow();
        shrink();
      }
      if (refused("other") > 0) {
        fault("others were refused");
      }
      if (taken("other") < 1_000) {
        fault("others had only " + taken("other"));
      }
      world.violations().forEach(violation -> fault(violation.toString()));
      return faults;
    }

    /** It is over its quota for long, and tries on. */
    private void grow() {
      int before = refused("add");
      CalmCluster.run(world, 5 * MINUTE);
      if (refused("add") == before) {
        fault("nothing was refused at " + held());
      }
      if (most > QUOTA + OVERSHOOT) {
        fault("it holds too much, " + most + " of " + QUOTA);
      }
    }

    private void shrink() {
      writes = false;
      CalmCluster.run(world, 15 * SECOND);
      // Nothing is written: what is left is asked for after six periods at most.
      deleteTo(QUOTA / 2, 20);
      if (refused("delete") > 0) {
        fault("deletes were refused");
      }
      int refusedBefore = refused("add");
      int takenBefore = taken("add");
      writes = true;
      CalmCluster.run(world, 8 * SECOND);
      if (refused("add") > refusedBefore || taken("add") == takenBefore) {
        fault("it does not come back, at " + heldAtMost());
      }
      most = 0;
    }
  }

  /** Those of the first seed that has some. */
  private static List<String> faults(Plant plant) {
    return LongStream.rangeClosed(1, SEEDS)
        .mapToObj(seed -> new Run(seed, plant).run())
        .filter(faults -> !faults.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  @Test
  void anApplicationGoesOverItsQuotaAndComesBack() {
    assertEquals(List.of(), faults(new Plant() {}));
  }

  @Test
  void betweenTheBoundsAnotherLeaderGoesOnAsTheOneBefore() {
    assertEquals(List.of(), new Run(7, new Plant() {}).between());
  }

  @Test
  void aLeaderThatForgetsWhatItDoesNotKnowYetIsFound() {
    List<String> faults =
        faults(
            new Plant() {
              @Override
              public QuotaStance undecided(QuotaStance right) {
                return QuotaStance.TAKE;
              }
            });
    assertTrue(
        faults.stream().anyMatch(fault -> fault.startsWith("it holds too much")), faults::toString);
  }

  @Test
  void nodesThatRefuseDeletesAreFound() {
    Plant refusing =
        new Plant() {
          @Override
          public boolean adds(boolean right) {
            return true;
          }
        };
    List<String> faults =
        LongStream.rangeClosed(1, SEEDS)
            .mapToObj(seed -> new Run(seed, refusing).run())
            .flatMap(List::stream)
            .toList();
    assertTrue(faults.contains("deletes were refused"), faults::toString);
    assertTrue(
        faults.stream().anyMatch(fault -> fault.startsWith("it does not come back")),
        faults::toString);
  }
}
