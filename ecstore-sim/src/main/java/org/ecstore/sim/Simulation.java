package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.core.port.Ledger;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Quorum;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.client.ClientDriver;
import org.ecstore.sim.client.QuorumDriver;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.client.SimWorkload;
import org.ecstore.sim.client.StatusAsked;
import org.ecstore.sim.client.TwoFacedClient;
import org.ecstore.sim.end.ClusterWatch;
import org.ecstore.sim.end.EndOfRun;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.ledger.RunsOfParts;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.AllDone;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.jspecify.annotations.Nullable;

/**
 * One run of one seed: a safety phase under faults; then everything is healed and commits must
 * resume, for every client; then quiet, in which nothing may be left held; then everything is read
 * and compared.
 */
public final class Simulation {
  /** Within this virtual time after the last fault every client must have committed something. */
  private static final long LIVENESS_NANOS = 30 * SwarmSettings.SECOND;

  /** A ledger that is read by less is read about a record at a time. */
  private static final int SLOW_READ_BYTES = 512;

  /** What a record takes then: some tries of a read, each of which may be slow. */
  private static final long SLOW_READ_NANOS = 40 * SwarmSettings.MILLI;

  /** A number of its own, above those of all other clients. */
  private static final int TWO_FACED = 2_000;

  private static final long SAMPLE_NANOS = 400 * SwarmSettings.MILLI;

  private final World world;
  private final SwarmSettings settings;
  private final NodeMutation mutation;
  private final SimCluster cluster;
  private final SimNetwork network;
  private final SimLedger ledger;
  private final List<SimHost> hosts;
  private final List<ClientDriver> drivers = new ArrayList<>();
  private final List<QuorumDriver> quorumDrivers = new ArrayList<>();
  private final List<TwoFacedClient> twoFaced = new ArrayList<>();
  private final SimHistory history = new SimHistory();
  private final QuorumHistory quorumHistory = new QuorumHistory();
  private final LedgerModel model = new LedgerModel();
  private final ClusterWatch watch;
  private final Nemesis nemesis;
  private final SimRandom passersRandom;
  private final NodeSettings nodeSettings;
  private final Sequencer.Bounds sequencer;
  private final KindsOfNodes kinds;
  private final Readers readers;

  private Simulation(
      SwarmSettings settings, NodeMutation mutation, @Nullable Consumer<String> printer) {
    this.settings = settings;
    this.mutation = mutation;
    this.world = new World(settings.seed(), new Trace(printer));
    this.nodeSettings =
        mutation.hasReaders()
            ? SimSettings.withReaders(SimSettings.of(settings), settings)
            : SimSettings.of(settings);
    this.sequencer = nodeSettings.sequencer();
    this.kinds = KindsOfNodes.of(settings);
    this.cluster = new SimCluster(world, settings, mutation, this::settingsOf);
    this.network = cluster.network();
    this.ledger = cluster.ledger();
    this.hosts = cluster.hosts();
    this.watch = new ClusterWatch(world, cluster, nodeSettings, model, kinds);
    this.passersRandom = world.random("passers");
    this.nemesis = new Nemesis(world, settings, cluster, this::passBy);
    this.readers =
        new Readers(world, ledger, sequencer.forReaders(), settings.nemesis().clockNanos() > 0);
    ledger.onWrite(this::entryFits);
  }

  private NodeSettings settingsOf(NodeId node) {
    return nodeSettings.withTraits(NodeTraits.UNKNOWN.with("", kinds.engine(node)));
  }

  /** Runs a seed with what it draws. */
  public static SimResult run(long seed, NodeMutation mutation) {
    return run(SwarmSettings.of(seed), mutation, null);
  }

  /** Runs given settings; prints every event if there is a printer. */
  public static SimResult run(
      SwarmSettings settings, NodeMutation mutation, @Nullable Consumer<String> printer) {
    return new Simulation(settings, mutation, printer).run();
  }

  private SimResult run() {
    SimRandom random = world.random("simulation");
    StatusAsked.each(world, cluster);
    for (SimHost host : hosts.subList(0, settings.nodes())) {
      world.scheduler().after(random.between(0, 500) * SwarmSettings.MILLI, host::start);
    }
    for (SimHost newcomer : hosts.subList(settings.nodes(), hosts.size())) {
      long when = random.between(settings.safetyNanos() / 20, settings.safetyNanos());
      world.scheduler().after(when, newcomer::start);
    }
    addClients();
    nemesis.start();
    world.scheduler().after(SAMPLE_NANOS, this::sample);
    askOverlay();
    boolean sound =
        world.runUntil(settings.safetyNanos(), () -> false)
            && liveness()
            && quiet()
            && end().isSound(quorumDrivers);
    if (!sound && world.violations().isEmpty()) {
      world.violated(Promises.ENDS, "it did not");
    }
    RunsOfParts.noteAll(ledger.durable(), world);
    return new SimResult(
        settings,
        world.violations(),
        world.nowNanos(),
        history.attempts().size(),
        history.committed(),
        world.trace().events(),
        world.trace().hash(),
        nemesis.fired());
  }

  private EndOfRun end() {
    return new EndOfRun(
        world,
        settings,
        nodeSettings,
        cluster,
        kinds,
        model,
        new EndOfRun.Histories(history, quorumHistory),
        watch);
  }

  private void addClients() {
    List<NodeId> ids = hosts.stream().map(SimHost::id).limit(settings.nodes()).toList();
    for (int i = 0; i < settings.clients(); i++) {
      SimRandom random = world.random("client" + i);
      SimClient client = new SimClient(world, network, i, ids, random, mutation.behaviour());
      SimWorkload workload = new SimWorkload(settings, random.fork("workload"), i);
      ClientDriver driver = new ClientDriver(world, settings, client, workload, history);
      drivers.add(driver);
      driver.start();
    }
    addQuorumClients(ids);
    if (mutation.behaviour() == NodeMutation.ClientBehaviour.REUSES_IDS) {
      addTwoFaced(ids);
    }
    if (mutation.hasReaders()) {
      readers.start(network, ids);
    }
  }

  private void addTwoFaced(List<NodeId> ids) {
    SimRandom random = world.random("two-faced client");
    SimClient client =
        new SimClient(
            world, network, TWO_FACED, ids, random, NodeMutation.ClientBehaviour.REUSES_IDS);
    TwoFacedClient driver = new TwoFacedClient(world, client);
    twoFaced.add(driver);
    driver.start();
  }

  /** Clients of one of the quorums come to a node. */
  private void passBy(NodeId node) {
    if (!quorumDrivers.isEmpty()) {
      quorumDrivers.get(passersRandom.between(0, quorumDrivers.size() - 1)).passBy(node);
    }
  }

  private void addQuorumClients(List<NodeId> ids) {
    int number = settings.clients();
    int copies = Math.min(SimSettings.of(settings).steward().copies(), hosts.size());
    List<Quorum> quorums = new ArrayList<>(QuorumDriver.quorums(world.random("quorums"), copies));
    if (CopiesCutOff.livesIn(settings.seed())) {
      // One copy answers: those that were taken out need no other.
      int n = quorums.isEmpty() ? copies : quorums.getFirst().n();
      quorums.addAll(List.of(new Quorum(n, n, 1), new Quorum(n, n, 1)));
    }
    for (Quorum quorum : quorums) {
      SimRandom random = world.random("quorum client" + number);
      SimClient client =
          new SimClient(world, network, number, ids, random, NodeMutation.ClientBehaviour.RIGHT);
      SimWorkload workload = new SimWorkload(settings, random.fork("workload"), number);
      QuorumDriver driver =
          new QuorumDriver(
              world, settings, client, workload, quorum, history, quorumHistory, ledger::end);
      quorumDrivers.add(driver);
      driver.start();
      number++;
    }
  }

  private void sample() {
    watch.check();
    if (world.violations().isEmpty()) {
      world.scheduler().after(SAMPLE_NANOS, this::sample);
    }
  }

  /** Who reads the ledger a record at a time takes long to replay a long one. */
  private long timeoutNanos() {
    boolean isSlow = settings.ledger().readBytesMax() < SLOW_READ_BYTES;
    return LIVENESS_NANOS + (isSlow ? ledger.end() * SLOW_READ_NANOS : 0);
  }

  private boolean liveness() {
    long healed = world.nowNanos();
    world.line("simulation", "all faults are healed");
    world.heal();
    nemesis.heal();
    hosts.forEach(SimHost::start);
    long timeout = timeoutNanos();
    boolean sound =
        world.runUntil(healed + timeout, new AllDone<>(drivers, ClientDriver::commitsAgain));
    if (!sound) {
      return false;
    }
    for (int i = 0; i < drivers.size(); i++) {
      if (!drivers.get(i).commitsAgain()) {
        world.violated(
            Promises.CLIENTS_GET_ON,
            "client " + i + " committed nothing within " + timeout / SwarmSettings.SECOND + " s");
      }
    }
    return world.violations().isEmpty();
  }

  private boolean quiet() {
    drivers.forEach(ClientDriver::stop);
    quorumDrivers.forEach(QuorumDriver::stop);
    twoFaced.forEach(TwoFacedClient::stop);
    long until = world.nowNanos() + 2 * LIVENESS_NANOS;
    AllDone<ClientDriver> transactions = new AllDone<>(drivers, ClientDriver::stopped);
    AllDone<QuorumDriver> quorums = new AllDone<>(quorumDrivers, QuorumDriver::stopped);
    AllDone<TwoFacedClient> others = new AllDone<>(twoFaced, TwoFacedClient::stopped);
    if (!world.runUntil(
        until,
        () -> transactions.getAsBoolean() && quorums.getAsBoolean() && others.getAsBoolean())) {
      return false;
    }
    if (!quorums.getAsBoolean()) {
      world.violated(Promises.QUORUMS_END, "one did not");
      return false;
    }
    for (int i = 0; i < drivers.size(); i++) {
      if (!drivers.get(i).stopped()) {
        world.violated(Promises.TRANSACTIONS_END, "one of client " + i + " did not");
        return false;
      }
    }
    if (!readers.comeToTheEnd()) {
      return false;
    }
    watch.becomesQuiet();
    // Longer than any delay or timer that still has something to clear away.
    return world.runFor(20 * SwarmSettings.SECOND);
  }

  /** A tree of more nodes than there are machines, and a balance of it, cost no time. */
  private void askOverlay() {
    DrawnOverlay overlay = new DrawnOverlay(world);
    overlay.draw();
    if (world.violations().isEmpty()) {
      new DrawnBalance(world, overlay.tree()).draw();
    }
  }

  /** The real ledgers have a bound, which leaves room for one record more. */
  private void entryFits(Ledger.LedgerEntry entry) {
    int most = sequencer.appender().entryBytesMax();
    long bytes = entry.records().stream().mapToLong(Bytes::length).sum();
    if (entry.records().size() > 1 && bytes > most) {
      world.violated(
          Promises.ENTRIES_FIT,
          "%d bytes from %s on, %d fit".formatted(bytes, entry.first(), most));
    }
  }
}
