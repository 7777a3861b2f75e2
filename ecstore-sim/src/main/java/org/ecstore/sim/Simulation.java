package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ecstore.core.port.Ledger;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.window.WindowedEngine;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.check.Finding;
import org.ecstore.sim.check.KindsChecker;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.check.OrderChecker;
import org.ecstore.sim.check.PositionChecker;
import org.ecstore.sim.check.QuorumChecker;
import org.ecstore.sim.check.StateChecker;
import org.ecstore.sim.client.AttemptRun;
import org.ecstore.sim.client.ClientDriver;
import org.ecstore.sim.client.Plan;
import org.ecstore.sim.client.QuorumDriver;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.client.SimWorkload;
import org.ecstore.sim.client.StatusAsked;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.ledger.RunsOfParts;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.jspecify.annotations.Nullable;

/**
 * One run of one seed: a safety phase under faults; then everything is healed and commits must
 * resume, for every client; then quiet, in which nothing may be left held; then everything is read
 * and compared.
 */
public final class Simulation {
  /** Within this virtual time after the last fault every client must have got something done. */
  private static final long LIVENESS_NANOS = 30 * SwarmSettings.SECOND;

  /** A window of retention that is over well before the end of a run. */
  private static final long SHORT_RETENTION_NANOS = 10 * SwarmSettings.SECOND;

  /** Longer than any node is waited for (SimSettings), and than its copies take to be made anew. */
  private static final long REPLACED_NANOS = 150 * SwarmSettings.SECOND;

  /** A ledger that is read by less is read about a record at a time. */
  private static final int SLOW_READ_BYTES = 512;

  /** What a record takes then: some tries of a read, each of which may be slow. */
  private static final long SLOW_READ_NANOS = 40 * SwarmSettings.MILLI;

  private static final long QUIET_STEP_NANOS = SwarmSettings.SECOND / 10;

  private static final long SAMPLE_NANOS = 400 * SwarmSettings.MILLI;

  private final World world;
  private final SwarmSettings settings;
  private final NodeMutation variant;
  private final SimCluster cluster;
  private final SimNetwork network;
  private final SimLedger ledger;
  private final List<SimHost> hosts;
  private final List<ClientDriver> drivers = new ArrayList<>();
  private final List<QuorumDriver> quorumDrivers = new ArrayList<>();
  private final SimHistory history = new SimHistory();
  private final QuorumHistory quorumHistory = new QuorumHistory();
  private final LedgerModel model = new LedgerModel();
  private final StateChecker stateChecker;
  private final Nemesis nemesis;
  private final SimRandom passersRandom;
  private final NodeSettings nodeSettings;
  private final Sequencer.Bounds sequencer;
  private final int copies;
  private final KindsOfNodes kinds;
  private long endWhenQuiet;
  private Position floorWhenQuiet = Position.ZERO;

  private Simulation(
      SwarmSettings settings, NodeMutation variant, @Nullable Consumer<String> printer) {
    this.settings = settings;
    this.variant = variant;
    this.world = new World(settings.seed(), new Trace(printer));
    this.nodeSettings = SimSettings.of(settings);
    this.sequencer = nodeSettings.sequencer();
    this.copies = nodeSettings.steward().copies();
    this.kinds = KindsOfNodes.of(settings);
    this.cluster = new SimCluster(world, settings, variant, this::settingsOf);
    this.network = cluster.network();
    this.ledger = cluster.ledger();
    this.hosts = cluster.hosts();
    this.stateChecker = new StateChecker(model);
    cluster.onEmptied(host -> stateChecker.replaced(host.id()));
    this.passersRandom = world.random("passers");
    this.nemesis = new Nemesis(world, settings, cluster, this::passBy);
    ledger.onWrite(this::entryFits);
  }

  private NodeSettings settingsOf(NodeId node) {
    return nodeSettings.withTraits(NodeTraits.UNKNOWN.with("", kinds.engine(node)));
  }

  /** Runs a seed with what it draws. */
  public static SimResult run(long seed, NodeMutation variant) {
    return run(SwarmSettings.of(seed), variant, null);
  }

  /** Runs given settings; prints every event if there is a printer. */
  public static SimResult run(
      SwarmSettings settings, NodeMutation variant, @Nullable Consumer<String> printer) {
    return new Simulation(settings, variant, printer).run();
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
        runUntil(settings.safetyNanos(), () -> false)
            && liveness()
            && quiet()
            && oneIsLost()
            && finalChecks()
            && roomIsWhole()
            && operatorWorks()
            && frozenLeaderIsReplaced()
            && oneLeaves()
            && leaseHolds()
            && oneLosesItsDisk()
            && shortLedgerIsRefused();
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

  private void addClients() {
    List<NodeId> ids = hosts.stream().map(SimHost::id).limit(settings.nodes()).toList();
    for (int i = 0; i < settings.clients(); i++) {
      SimRandom random = world.random("client" + i);
      SimClient client = new SimClient(world, network, i, ids, random, variant.behaviour());
      SimWorkload workload = new SimWorkload(settings, random.fork("workload"), i);
      ClientDriver driver = new ClientDriver(world, settings, client, workload, history);
      drivers.add(driver);
      driver.start();
    }
    addQuorumClients(ids);
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
    checkStates();
    if (world.violations().isEmpty()) {
      world.scheduler().after(SAMPLE_NANOS, this::sample);
    }
  }

  private void checkStates() {
    model.catchUp(ledger.durable());
    report(model.findings());
    report(stateChecker.check(views()));
    report(KindsChecker.checkPrimaries(model.map(), this::engine, kinds.relaxed()));
  }

  private List<View> views() {
    List<View> views = new ArrayList<>();
    for (SimHost host : hosts) {
      // One whose store has been emptied answers nothing any more, and ends.
      if (host.machine() instanceof Node node && !cluster.disk(host).isLost()) {
        views.add(new View(host, node, cluster.disk(host), cluster.engine(host)));
      }
    }
    return views;
  }

  private EngineTraits engine(NodeId node) {
    return kinds.engine(node);
  }

  /** The engines of the nodes that are there to stay. */
  private Map<NodeId, EngineTraits> staying() {
    Map<NodeId, EngineTraits> staying = new TreeMap<>();
    for (SimHost host : hosts) {
      if (host.machine() instanceof Node node
          && node.departure().stage() == Departure.Stage.STAYS) {
        staying.put(host.id(), kinds.engine(host.id()));
      }
    }
    return staying;
  }

  /**
   * Whether all that a machine has is elsewhere too, on an engine that persists: else its loss is
   * that of data, or of what serves.
   */
  private boolean maySpare(SimHost host) {
    List<EngineTraits> others =
        staying().entrySet().stream()
            .filter(each -> !each.getKey().equals(host.id()))
            .map(Map.Entry::getValue)
            .toList();
    return !kinds.areMixed()
        || (others.stream().anyMatch(engine -> CopyNeeds.primaryRank(engine) == 0)
            && model.map().ranges().stream()
                .allMatch(
                    range ->
                        Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
                            .anyMatch(
                                node -> !node.equals(host.id()) && kinds.engine(node).persists())));
  }

  private record View(SimHost host, Node node, MemoryStore disk, WindowedEngine engine)
      implements StateChecker.NodeView {
    @Override
    public NodeId id() {
      return host.id();
    }

    @Override
    public int life() {
      return host.life();
    }

    @Override
    public NodeInspection state() {
      return node.inspect();
    }

    @Override
    public List<Row> rows(KeyRange keys, Position at) {
      return engine.look(keys, at, disk.look(keys));
    }

    @Override
    public List<HotReplicaHost.View> hotReplicas() {
      return node.hotReplicasHeld();
    }
  }

  private void report(List<Finding> findings) {
    findings.stream().limit(3).forEach(found -> world.violated(found.rule(), found.detail()));
  }

  /** Runs until a time or a condition; false once something is violated. */
  private boolean runUntil(long timeNanos, java.util.function.BooleanSupplier enough) {
    while (world.violations().isEmpty() && !enough.getAsBoolean()) {
      if (!world.scheduler().step(timeNanos)) {
        break;
      }
    }
    return world.violations().isEmpty();
  }

  /** Who reads the ledger a record at a time takes long to replay a long one. */
  private long patienceNanos() {
    boolean isSlow = settings.ledger().readBytesMax() < SLOW_READ_BYTES;
    return LIVENESS_NANOS + (isSlow ? ledger.end() * SLOW_READ_NANOS : 0);
  }

  private boolean liveness() {
    long healed = world.nowNanos();
    world.line("simulation", "all faults are healed");
    world.heal();
    nemesis.heal();
    hosts.forEach(SimHost::start);
    long patience = patienceNanos();
    boolean sound =
        runUntil(
            healed + patience,
            () -> drivers.stream().allMatch(driver -> driver.lastSuccessNanos() > healed));
    if (!sound) {
      return false;
    }
    for (int i = 0; i < drivers.size(); i++) {
      if (drivers.get(i).lastSuccessNanos() <= healed) {
        world.violated(
            Promises.CLIENTS_GET_ON,
            "client " + i + " did not within " + patience / SwarmSettings.SECOND + " s");
      }
    }
    return world.violations().isEmpty();
  }

  private boolean quiet() {
    drivers.forEach(ClientDriver::stop);
    quorumDrivers.forEach(QuorumDriver::stop);
    long until = world.nowNanos() + 2 * LIVENESS_NANOS;
    if (!runUntil(
        until,
        () ->
            drivers.stream().allMatch(ClientDriver::stopped)
                && quorumDrivers.stream().allMatch(QuorumDriver::stopped))) {
      return false;
    }
    if (!quorumDrivers.stream().allMatch(QuorumDriver::stopped)) {
      world.violated(Promises.QUORUMS_END, "one did not");
      return false;
    }
    for (int i = 0; i < drivers.size(); i++) {
      if (!drivers.get(i).stopped()) {
        world.violated(Promises.TRANSACTIONS_END, "one of client " + i + " did not");
        return false;
      }
    }
    endWhenQuiet = ledger.end();
    floorWhenQuiet = cluster.floor().now();
    // Longer than any delay or timer that still has something to clear away.
    return runUntil(world.nowNanos() + 20 * SwarmSettings.SECOND, () -> false);
  }

  /**
   * In some runs a machine that has copies of others is gone for good: what it had is made anew
   * elsewhere, and clients get on without it (rules 16, 19).
   */
  private boolean oneIsLost() {
    SimRandom random = world.random("loss");
    if (copies < 2 || hosts.size() < 2 || !random.chance(0.4)) {
      return true;
    }
    report(quietState(REPLACED_NANOS));
    if (!world.violations().isEmpty()) {
      return false;
    }
    SimHost lost = random.pick(hosts);
    if (!maySpare(lost)) {
      return true;
    }
    world.happened("a machine is gone for good");
    lost.crash();
    runUntil(world.nowNanos() + QUIET_STEP_NANOS, () -> false);
    report(quietState(REPLACED_NANOS));
    return world.violations().isEmpty() && oneCommits();
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

  /** Reads may go on where commits do not. */
  private boolean oneCommits() {
    return commits(
        workload -> workload.writeRegister(SimKeys.register(0)),
        Promises.CLIENTS_GET_ON,
        "no commit after a machine was lost");
  }

  /** Where a node's room is bounded, nearly all of it is there once nothing is under way. */
  private boolean roomIsWhole() {
    long room = nodeSettings.participant().intentBytesMax();
    if (room == Long.MAX_VALUE) {
      return true;
    }
    world.happened("a commit takes nearly all room of a node");
    return commits(
        workload -> workload.writeLarge(SimKeys.register(0), (int) (room * 0.9)),
        Promises.ROOM_IS_WHOLE,
        "no commit of nine tenths of " + room + " bytes");
  }

  /** In some runs an operator changes the cluster at rest, as its commands say (rules 17, 19). */
  private boolean operatorWorks() {
    SimRandom random = world.random("operator works");
    if (kinds.areMixed() || !areAllThere() || !random.chance(0.5)) {
      return true;
    }
    new OperatorInTheEnd(world, cluster, nodeSettings, model, this::runUntil).works();
    return isAtRest();
  }

  private boolean isAtRest() {
    if (world.violations().isEmpty()) {
      report(quietState(REPLACED_NANOS));
    }
    return world.violations().isEmpty();
  }

  /** In some runs the leader is frozen while its session lives (rule 6). */
  private boolean frozenLeaderIsReplaced() {
    FrozenLeader leader = new FrozenLeader(world, cluster, nodeSettings);
    if (!areAllThere() || !leader.isAsked()) {
      return true;
    }
    leader.isReplaced(this::runUntil);
    return isAtRest() && oneCommits();
  }

  /** In some runs a node starts at last with more than the ledger has (rule 6). */
  private boolean shortLedgerIsRefused() {
    ShortLedger shortLedger = new ShortLedger(world, cluster);
    if (shortLedger.isAsked()) {
      shortLedger.isRefused(this::runUntil);
    }
    return world.violations().isEmpty();
  }

  private boolean commits(Function<SimWorkload, Plan> plan, String promise, String otherwise) {
    boolean[] committed = new boolean[1];
    commit(plan, committed, 0);
    if (!runUntil(world.nowNanos() + LIVENESS_NANOS, () -> committed[0])) {
      return false;
    }
    if (!committed[0]) {
      world.violated(promise, otherwise);
    }
    return world.violations().isEmpty();
  }

  private void commit(Function<SimWorkload, Plan> plan, boolean[] done, int tries) {
    List<NodeId> ids = hosts.stream().map(SimHost::id).toList();
    SimRandom random = world.random("final writer" + tries);
    SimClient client =
        new SimClient(
            world, network, 2000 + tries, ids, random, NodeMutation.ClientBehaviour.RIGHT);
    SimWorkload workload = new SimWorkload(settings, random.fork("workload"), 2000 + tries);
    AttemptRun[] run = new AttemptRun[1];
    run[0] =
        new AttemptRun(
            client,
            plan.apply(workload),
            world.nowNanos() + LIVENESS_NANOS,
            end -> {
              run[0].earlier().forEach(history::add);
              end.ifPresent(history::add);
              if (end.isPresent() && end.get().outcome() == SimHistory.Outcome.COMMITTED) {
                done[0] = true;
              } else {
                commit(plan, done, tries + 1);
              }
            });
    run[0].start();
  }

  /** Where enough copies are there, a quorum answers, and none is refused for ever (rule 13). */
  private boolean quorumsRead() {
    int least =
        model.map().ranges().stream()
            .mapToInt(range -> 1 + range.secondaries().size())
            .min()
            .orElse(0);
    List<QuorumDriver> readers =
        quorumDrivers.stream().filter(driver -> driver.quorum().n() <= least).toList();
    List<NodeId> running = running();
    for (QuorumDriver reader : readers) {
      int number = 3000 + readers.indexOf(reader);
      SimRandom random = world.random("final quorum reader" + number);
      reader.readAll(
          new SimClient(
              world, network, number, running, random, NodeMutation.ClientBehaviour.RIGHT));
    }
    if (!runUntil(
        world.nowNanos() + LIVENESS_NANOS,
        () -> readers.stream().allMatch(QuorumDriver::hasReadAll))) {
      return false;
    }
    for (QuorumDriver reader : readers) {
      if (!reader.hasReadAll()) {
        world.violated(Promises.QUORUMS_GET_ON, reader.quorum() + ": " + reader.lastRefusal());
      }
    }
    return world.violations().isEmpty();
  }

  private List<NodeId> running() {
    return hosts.stream().filter(SimHost::isUp).map(SimHost::id).toList();
  }

  /** Whichever node an operator asks, the steward answers. */
  private boolean operatorAsks() {
    SimRandom random = world.random("operator");
    SimClient client =
        new SimClient(world, network, 4000, running(), random, NodeMutation.ClientBehaviour.RIGHT);
    List<NodeId> left = new ArrayList<>(running());
    askDecisions(client, left);
    if (!runUntil(world.nowNanos() + LIVENESS_NANOS, left::isEmpty)) {
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

  /** In some runs a node is told to leave; others are there to stay, so it can (rule 20). */
  private boolean oneLeaves() {
    SimRandom random = world.random("leaver");
    List<SimHost> up = hosts.stream().filter(SimHost::isUp).toList();
    if (up.size() < 2 || up.size() < hosts.size() || !random.chance(0.25)) {
      return true;
    }
    SimHost leaver = random.pick(up);
    if (!(leaver.machine() instanceof Node node) || !maySpare(leaver)) {
      return true;
    }
    world.happened("one leaves in the end");
    node.depart();
    Departure.Progress[] said = {node.departure()};
    runUntil(
        world.nowNanos() + REPLACED_NANOS,
        () -> {
          said[0] = node.departure();
          return said[0].stage() == Departure.Stage.DEPARTED
              || said[0].stage() == Departure.Stage.NO_HEIR;
        });
    if (world.violations().isEmpty() && said[0].stage() != Departure.Stage.DEPARTED) {
      world.violated(Promises.NODES_LEAVE, leaver.id() + ": " + said[0]);
    }
    return world.violations().isEmpty();
  }

  /** In some runs a snapshot is leased at last, and is to be readable for long (rule 14). */
  private boolean leaseHolds() {
    LeasedSnapshot snapshot =
        new LeasedSnapshot(world, cluster, nodeSettings, model, this::runUntil);
    return !areAllThere() || !snapshot.isAsked() || snapshot.stays();
  }

  /** Whether each node runs, and is to stay. */
  private boolean areAllThere() {
    return hosts.stream()
        .allMatch(
            host ->
                host.machine() instanceof Node node
                    && node.departure().stage() == Departure.Stage.STAYS);
  }

  /**
   * In some runs a machine comes back on an empty disk in the end, soon or after others have taken
   * its place: what it had is made anew from the other copies (rule 19).
   */
  private boolean oneLosesItsDisk() {
    SimRandom random = world.random("empty disk");
    if (copies < 2 || hosts.size() < 2 || !areAllThere() || !random.chance(0.3)) {
      return true;
    }
    report(quietState(REPLACED_NANOS));
    if (!world.violations().isEmpty()) {
      return false;
    }
    SimHost host = random.pick(hosts);
    if (!maySpare(host)) {
      return true;
    }
    world.happened("a machine comes back on an empty disk");
    host.crash();
    cluster.replaceDisk(host);
    stateChecker.replaced(host.id());
    runUntil(world.nowNanos() + random.skewed(QUIET_STEP_NANOS, LIVENESS_NANOS), () -> false);
    host.start();
    runUntil(world.nowNanos() + QUIET_STEP_NANOS, () -> false);
    report(quietState(REPLACED_NANOS));
    checkStates();
    return world.violations().isEmpty() && oneCommits();
  }

  private boolean finalChecks() {
    Map<Bytes, Optional<Row>> finals = new TreeMap<>();
    boolean[] read = new boolean[1];
    readEverything(finals, read, 0);
    if (!runUntil(world.nowNanos() + LIVENESS_NANOS, () -> read[0])) {
      return false;
    }
    if (!read[0]) {
      world.violated(Promises.CAN_BE_READ, "the final read did not end");
      return false;
    }
    runUntil(world.nowNanos() + 5 * SwarmSettings.SECOND, () -> false);
    checkStates();
    report(quietState(REPLACED_NANOS));
    if (!world.violations().isEmpty() || !quorumsRead() || !operatorAsks()) {
      return false;
    }
    if (network.unanswered() > 0) {
      world.violated(Promises.REPLIED, network.unanswered() + " requests have none");
    }
    report(QuorumChecker.check(quorumHistory, model, world::happened));
    report(PositionChecker.check(history, model, slowestClock()));
    report(OrderChecker.check(history, finals));
    return world.violations().isEmpty();
  }

  /** What is wrong with the state of a cluster at rest, and stays so: ranges may still be moved. */
  private List<Finding> quietState(long withinNanos) {
    long until = world.nowNanos() + withinNanos;
    List<Finding> found = notQuiet();
    while (!found.isEmpty() && world.nowNanos() < until) {
      runUntil(world.nowNanos() + QUIET_STEP_NANOS, () -> false);
      model.catchUp(ledger.durable());
      found = notQuiet();
    }
    return found;
  }

  private List<Finding> notQuiet() {
    List<Finding> found = new ArrayList<>(stateChecker.checkQuiet(views(), copies));
    found.addAll(
        KindsChecker.checkQuiet(model.map(), staying(), CopyNeeds.of(copies), kinds.relaxed()));
    long floor = cluster.floor().now().value();
    boolean follows =
        sequencer.retentionNanos() > SHORT_RETENTION_NANOS
            || floor + sequencer.floorStep() >= endWhenQuiet;
    if (!follows) {
      found.add(
          new Finding(
              "the version floor follows (rule 14)",
              "it is at " + floor + ", the ledger was at " + endWhenQuiet + " long ago"));
    }
    for (View node : views()) {
      Position pruned = node.state().pruned();
      if (floorWhenQuiet.isAfter(pruned)) {
        found.add(
            new Finding(
                "old versions go in the end (rule 14)",
                node.id() + " is at " + pruned + ", the floor was at " + floorWhenQuiet));
      }
    }
    model.checkpointFollows(endWhenQuiet, sequencer.checkpointRecords()).ifPresent(found::add);
    return found;
  }

  /** Clocks differ by some percent; the nemesis may stop them too. */
  private OptionalDouble slowestClock() {
    return settings.nemesis().clockNanos() > 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(1 / SimHost.CLOCK_RATE_MIN);
  }

  private void readEverything(Map<Bytes, Optional<Row>> finals, boolean[] done, int tries) {
    List<Bytes> lists = new ArrayList<>();
    for (int i = 0; i < settings.listKeys(); i++) {
      lists.add(SimKeys.list(i));
    }
    List<NodeId> ids = hosts.stream().map(SimHost::id).toList();
    SimRandom random = world.random("final reader" + tries);
    SimClient client =
        new SimClient(
            world, network, 1000 + tries, ids, random, NodeMutation.ClientBehaviour.RIGHT);
    AttemptRun[] run = new AttemptRun[1];
    run[0] =
        new AttemptRun(
            client,
            SimWorkload.readEverything(lists),
            world.nowNanos() + LIVENESS_NANOS,
            end -> {
              if (end.isEmpty() || run[0].gaveUp()) {
                readEverything(finals, done, tries + 1);
                return;
              }
              history.add(end.get());
              end.get().keyReads().forEach(row -> finals.put(row.key(), row.row()));
              done[0] = true;
            });
    run[0].start();
  }
}
