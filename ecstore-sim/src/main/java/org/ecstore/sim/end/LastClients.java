package org.ecstore.sim.end;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.client.AttemptRun;
import org.ecstore.sim.client.Plan;
import org.ecstore.sim.client.QuorumDriver;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.client.SimWorkload;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.AllDone;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/** Clients that come when all others have gone. Each of them gets on, sooner or later. */
final class LastClients {
  /** Within this virtual time each of them must have got something done. */
  static final long LIVENESS_NANOS = 30 * SwarmSettings.SECOND;

  private static final int FIRST = 1_000;

  private final World world;
  private final SwarmSettings settings;
  private final SimCluster cluster;
  private final SimHistory history;

  /** How many there were: each has a number and a chance of its own, and so ids of its own. */
  private int clients;

  /** What one of them has learnt of it: else each were refused by its first commit. */
  private long catalogVersion;

  LastClients(World world, SwarmSettings settings, SimCluster cluster, SimHistory history) {
    this.world = world;
    this.settings = settings;
    this.cluster = cluster;
    this.history = history;
  }

  /** The number of one more of them, above those of all that are there while faults last. */
  private int next() {
    return FIRST + clients++;
  }

  private SimClient client(int number, List<NodeId> nodes, SimRandom random) {
    SimClient client =
        new SimClient(
            world, cluster.network(), number, nodes, random, NodeMutation.ClientBehaviour.RIGHT);
    client.sawCatalog(catalogVersion);
    return client;
  }

  private List<NodeId> all() {
    return cluster.hosts().stream().map(SimHost::id).toList();
  }

  private List<NodeId> running() {
    return cluster.hosts().stream().filter(SimHost::isUp).map(SimHost::id).toList();
  }

  /** Whether a transaction is committed; where it is not, a promise is broken. */
  boolean commits(Function<SimWorkload, Plan> plan, String promise, String otherwise) {
    boolean[] committed = new boolean[1];
    commit(plan, committed);
    if (!world.runUntil(world.nowNanos() + LIVENESS_NANOS, () -> committed[0])) {
      return false;
    }
    if (!committed[0]) {
      world.violated(promise, otherwise);
    }
    return world.violations().isEmpty();
  }

  private void commit(Function<SimWorkload, Plan> plan, boolean[] done) {
    int number = next();
    SimRandom random = world.random("final writer" + number);
    SimClient client = client(number, all(), random);
    SimWorkload workload = new SimWorkload(settings, random.fork("workload"), number);
    AttemptRun[] run = new AttemptRun[1];
    run[0] =
        new AttemptRun(
            client,
            plan.apply(workload),
            world.nowNanos() + LIVENESS_NANOS,
            end -> {
              run[0].earlier().forEach(history::add);
              end.ifPresent(history::add);
              catalogVersion = client.catalogVersion();
              if (end.isPresent() && end.get().outcome() == SimHistory.Outcome.COMMITTED) {
                done[0] = true;
              } else {
                commit(plan, done);
              }
            });
    run[0].start();
  }

  /** Whether a commit is made in each range; where it is not, a promise is broken. */
  boolean commitInEach(List<RangeDescriptor> ranges) {
    for (RangeDescriptor range : ranges) {
      Optional<Bytes> key = SimKeys.unusedIn(range.keys());
      if (key.isPresent()
          && !commits(
              workload -> workload.writeRegister(key.get()),
              Promises.CLIENTS_GET_ON,
              "no commit to " + range)) {
        return false;
      }
    }
    return true;
  }

  /** Clients that read what all wrote before, and write, one transaction after the other. */
  final class Busy {
    private static final long PAUSE_NANOS_MAX = 300 * SwarmSettings.MILLI;
    private int running;
    private boolean ends;

    /** Begins with so many of them. */
    Busy(int number) {
      running = number;
      for (int i = 0; i < number; i++) {
        int client = next();
        SimRandom random = world.random("busy client" + client);
        SimWorkload workload = new SimWorkload(settings, random.fork("workload"), client);
        work(client(client, all(), random), workload, random.fork("pauses"));
      }
    }

    private void work(SimClient client, SimWorkload workload, SimRandom pauses) {
      if (ends) {
        running--;
        return;
      }
      AttemptRun[] run = new AttemptRun[1];
      run[0] =
          new AttemptRun(
              client,
              workload.strongAppend(),
              world.nowNanos() + LIVENESS_NANOS,
              end -> {
                run[0].earlier().forEach(history::add);
                end.ifPresent(history::add);
                catalogVersion = Math.max(catalogVersion, client.catalogVersion());
                long pause = pauses.skewedNanos(SwarmSettings.MILLI, PAUSE_NANOS_MAX);
                world.scheduler().after(pause, () -> work(client, workload, pauses));
              });
      run[0].start();
    }

    /** Ends each after its transaction under way; false once something is violated. */
    boolean end() {
      ends = true;
      if (!world.runUntil(world.nowNanos() + 2 * LIVENESS_NANOS, () -> running == 0)) {
        return false;
      }
      if (running > 0) {
        world.violated(Promises.TRANSACTIONS_END, "those of " + running + " last clients did not");
      }
      return world.violations().isEmpty();
    }
  }

  /** Where enough copies are there, a quorum answers, and none is refused for ever (rule 13). */
  boolean quorumsRead(List<QuorumDriver> quorumDrivers, LedgerModel model) {
    int least =
        model.map().ranges().stream()
            .mapToInt(range -> 1 + range.secondaries().size())
            .min()
            .orElse(0);
    List<QuorumDriver> readers =
        quorumDrivers.stream().filter(driver -> driver.quorum().n() <= least).toList();
    List<NodeId> running = running();
    readers.forEach(QuorumDriver::readsAnew);
    for (QuorumDriver reader : readers) {
      int number = next();
      SimRandom random = world.random("final quorum reader" + number);
      reader.readAll(client(number, running, random));
    }
    if (!world.runUntil(
        world.nowNanos() + LIVENESS_NANOS, new AllDone<>(readers, QuorumDriver::hasReadAll))) {
      return false;
    }
    for (QuorumDriver reader : readers) {
      if (!reader.hasReadAll()) {
        world.violated(Promises.QUORUMS_GET_ON, reader.quorum() + ": " + reader.lastRefusal());
      }
    }
    return world.violations().isEmpty();
  }

  /** Whichever node an operator asks, the steward answers. */
  boolean operatorAsks() {
    int number = next();
    SimRandom random = world.random("operator" + number);
    SimClient client = client(number, running(), random);
    List<NodeId> left = new ArrayList<>(running());
    askDecisions(client, left);
    if (!world.runUntil(world.nowNanos() + LIVENESS_NANOS, left::isEmpty)) {
      return false;
    }
    if (!left.isEmpty()) {
      world.violated(Promises.OPERATORS_GET_ON, "one who asks " + left.getFirst() + " is not");
    }
    return world.violations().isEmpty();
  }

  private void askDecisions(SimClient client, List<NodeId> left) {
    client.call(
        left.getFirst(),
        new ClientRequest.AskDecisions(Optional.empty()),
        3 * SwarmSettings.SECOND,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Decided) {
            left.removeFirst();
          }
          if (!left.isEmpty()) {
            world.scheduler().after(100 * SwarmSettings.MILLI, () -> askDecisions(client, left));
          }
        });
  }

  /** Reads everything; absent if that does not end. */
  Optional<Map<Bytes, Optional<Row>>> readEverything() {
    Map<Bytes, Optional<Row>> finals = new TreeMap<>();
    boolean[] read = new boolean[1];
    readEverything(finals, read);
    if (!world.runUntil(world.nowNanos() + LIVENESS_NANOS, () -> read[0])) {
      return Optional.empty();
    }
    if (!read[0]) {
      world.violated(Promises.CAN_BE_READ, "the final read did not end");
      return Optional.empty();
    }
    return Optional.of(finals);
  }

  private void readEverything(Map<Bytes, Optional<Row>> finals, boolean[] done) {
    List<Bytes> lists = new ArrayList<>();
    for (int i = 0; i < settings.listKeys(); i++) {
      lists.add(SimKeys.list(i));
    }
    int number = next();
    SimRandom random = world.random("final reader" + number);
    SimClient client = client(number, all(), random);
    AttemptRun[] run = new AttemptRun[1];
    run[0] =
        new AttemptRun(
            client,
            SimWorkload.readEverything(lists),
            world.nowNanos() + LIVENESS_NANOS,
            end -> {
              if (end.isEmpty() || run[0].gaveUp()) {
                readEverything(finals, done);
                return;
              }
              history.add(end.get());
              end.get().keyReads().forEach(row -> finals.put(row.key(), row.row()));
              done[0] = true;
            });
    run[0].start();
  }
}
