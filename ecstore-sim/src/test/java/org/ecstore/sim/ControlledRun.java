package org.ecstore.sim;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply;
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
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.measured.TableBook;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * A simulated cluster whose controller acts: clients, what nodes use and what takes them long are a
 * model ({@link ModelledClients}), the provisioner hangs, is slow and tells twice ({@link
 * SimProvisioner}), leaders crash ({@link LeaderCrashes}), answers of coordination get lost. {@link
 * ControlWatch} looks on.
 */
final class ControlledRun {
  static final long MILLI = SwarmSettings.MILLI;
  static final long SECOND = SwarmSettings.SECOND;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;
  static final int NODES = 3;
  static final int NEWCOMERS = 30;
  static final String SHOP = "shop";
  static final String REPORTS = "reports";
  static final String LOGS = "logs";

  /** What nodes say of themselves, until they are upgraded. */
  static final String BUILD = "1";

  static final String ENGINE = "sim";

  private static final int NODES_MAX = 5;
  private static final double HOT_PART = 0.5;
  private static final long SETTLED_NANOS = 5 * SECOND;
  private static final long PROMISED_NANOS = 20 * MILLI;
  static final ControlTiming TIMING = new ControlTiming(10 * SECOND, 6, 300 * SECOND);

  /**
   * When the controller looks and acts, and how often clients report.
   *
   * @param longFailureNanos after which a node that is down loses its place
   */
  record Pace(ControlTiming timing, long reportNanos, long longFailureNanos) {
    static final Pace QUICK = new Pace(TIMING, 5 * SECOND, MINUTE);

    /** A node that is down keeps its place. */
    static final Pace WAITING = new Pace(TIMING, 5 * SECOND, HOUR);

    /** As where nothing else is said; a report goes with the request that comes next. */
    static final Pace USUAL = new Pace(ControlTiming.DEFAULT, 30 * SECOND + SECOND / 2, MINUTE);
  }

  /** How the controller is made. */
  interface Controllers {
    Controller of(Parts parts);
  }

  /** Of what a controller is made. */
  record Parts(
      NodeContext context,
      BooleanSupplier leads,
      ControlledCluster cluster,
      ObjectiveKeeper objectives,
      Provisioner provisioner,
      Decisions decisions,
      ControlTiming timing) {
    /** The same beside another cluster. */
    Parts with(ControlledCluster other) {
      return new Parts(context, leads, other, objectives, provisioner, decisions, timing);
    }

    Controller right() {
      return new Controller(
          context, leads, timing, 100 * MILLI, cluster, objectives, provisioner, decisions);
    }
  }

  /**
   * What people, or the weather, do to it.
   *
   * @param callNanosMax how long coordination takes for each way of a call, at most
   */
  record Weather(
      boolean leadersCrash, boolean provisionerIsBad, double answersLost, long callNanosMax) {
    static final Weather CALM = new Weather(false, false, 0);
    static final Weather BAD = new Weather(true, true, 0.2);

    /** A change of the map takes some seconds, and is not over at many a check. */
    static final Weather SLOW = new Weather(false, false, 0, 3 * SECOND);

    Weather(boolean leadersCrash, boolean provisionerIsBad, double answersLost) {
      this(leadersCrash, provisionerIsBad, answersLost, 20 * MILLI);
    }
  }

  private final World world;
  private final SimCluster cluster;
  private final ControlSight sight;
  private final ModelledClients clients;
  private final ControlWatch watch;
  private final SimProvisioner provisioner;
  private final LeaderCrashes crashes;
  private final Controllers controllers;
  private long requests;

  /** Of nodes that start from now on. */
  private String build = BUILD;

  ControlledRun(long seed, Weather weather, Controllers controllers) {
    this(seed, weather, controllers, Pace.QUICK);
  }

  /** As above, at another pace. */
  ControlledRun(long seed, Weather weather, Controllers controllers, Pace pace) {
    this(seed, weather, controllers, Optional.empty(), NODES, pace);
  }

  /**
   * As above.
   *
   * @param price of an hour of each node, as they say it
   * @param copies of each range
   */
  ControlledRun(
      long seed, Weather weather, Controllers controllers, Optional<BigDecimal> price, int copies) {
    this(seed, weather, controllers, price, copies, Pace.QUICK);
  }

  private ControlledRun(
      long seed,
      Weather weather,
      Controllers controllers,
      Optional<BigDecimal> price,
      int copies,
      Pace pace) {
    this.controllers = controllers;
    world = new World(seed, new Trace(null));
    SimRandom random = world.random("control");
    cluster =
        new SimCluster(
            world,
            settings(weather),
            new NodeMutation(
                "control",
                (self, settings, ports) -> new Node(self, settings, parts(self), ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id ->
                NodeSettings.defaults("sim", "n" + id + ":1")
                    .withCopies(copies)
                    .withControl(pace.timing())
                    .withTimeout(pace.longFailureNanos(), SETTLED_NANOS)
                    .withTraits(new NodeTraits("small", price, build, ENGINE)));
    sight = new ControlSight(cluster);
    clients = new ModelledClients(world, cluster, sight, random, pace.reportNanos());
    watch = new ControlWatch(world, sight, clients, PROMISED_NANOS);
    provisioner = new SimProvisioner(world, sight, watch, random, weather.provisionerIsBad());
    crashes = new LeaderCrashes(world, sight, provisioner, random);
    cluster.hosts().stream().limit(NODES).forEach(SimHost::start);
    run(MINUTE);
    CalmCluster.every(world, pace.reportNanos(), clients::report);
    CalmCluster.every(world, SECOND, clients::lookAtLimits);
    CalmCluster.every(world, SECOND, watch::look);
    if (weather.leadersCrash()) {
      crashes.againAndAgain();
    }
  }

  /** One in which the shop has a guarantee, and the controller acts, with five nodes at most. */
  static ControlledRun promised(long seed, Weather weather, Controllers controllers) {
    return promised(seed, weather, controllers, Statistic.P99, Optional.empty());
  }

  /**
   * As above.
   *
   * @param statistic that is promised
   * @param price of an hour of each node, as they say it
   */
  static ControlledRun promised(
      long seed,
      Weather weather,
      Controllers controllers,
      Statistic statistic,
      Optional<BigDecimal> price) {
    ControlledRun run = new ControlledRun(seed, weather, controllers, price, NODES);
    run.promise(SHOP, ServiceClass.GUARANTEED, statistic);
    run.mode(ControlMode.ACT, NODES_MAX);
    return run;
  }

  /**
   * One in which the shop has a guarantee, nodes cost so much, and keep places while they are down.
   */
  static ControlledRun waiting(long seed, BigDecimal price) {
    ControlledRun run =
        new ControlledRun(
            seed, Weather.CALM, Parts::right, Optional.of(price), NODES, Pace.WAITING);
    run.promise(SHOP, ServiceClass.GUARANTEED);
    return run;
  }

  /**
   * One in which half of what the shop reads is of few keys of one node. A read costs a node a
   * thousandth of its capacity, so that it has too much to do before it makes hot-spot replicas by
   * its configuration. There are two copies of each range: one node has none of the hot keys.
   */
  static ControlledRun hotKeys(long seed, Weather weather, Controllers controllers) {
    ControlledRun run = new ControlledRun(seed, weather, controllers, Optional.empty(), NODES - 1);
    run.promise(SHOP, ServiceClass.GUARANTEED);
    run.mode(ControlMode.ACT, NODES_MAX);
    run.clients.hotKeys(new NodeId(2), HOT_PART);
    run.ask(SHOP, 1_300);
    return run;
  }

  /**
   * The shop's load is what three nodes do, doubles after five minutes, and stays so for a time.
   */
  ControlledRun doubled(long nanos) {
    ask(SHOP, 1_500);
    run(5 * MINUTE);
    ask(SHOP, 2_600);
    run(nanos);
    return this;
  }

  private NodeParts parts(NodeId self) {
    return new ControlledNode(self, of -> clients.busy(of), provisioner, controllers);
  }

  private static SwarmSettings settings(Weather weather) {
    SwarmSettings.CoordinationFaults coordination =
        new SwarmSettings.CoordinationFaults(
            weather.callNanosMax(), 20 * MILLI, SECOND, 200 * MILLI, weather.answersLost(), 0);
    SwarmSettings calm = CalmCluster.settings(NODES, coordination);
    return new SwarmSettings(
        calm.seed(),
        calm.promise(),
        NODES,
        NEWCOMERS,
        calm.clients(),
        calm.listKeys(),
        calm.rowKeys(),
        calm.safetyNanos(),
        calm.stepEventsMax(),
        calm.thinkNanosMax(),
        calm.hints(),
        calm.prunes(),
        calm.network(),
        calm.ledger(),
        calm.coordination(),
        calm.engine(),
        calm.nemesis());
  }

  void run(long nanos) {
    CalmCluster.run(world, nanos);
  }

  // --- what is there

  int places() {
    return sight.places();
  }

  /** What nodes that are there were told of the threshold of hot-spot replicas, without order. */
  Set<Long> hotThresholds() {
    return sight.running().stream()
        .map(host -> host.machine() instanceof Node node ? node.hotThreshold() : 0L)
        .collect(Collectors.toSet());
  }

  ControlBook book() {
    return sight.book();
  }

  /** What an application may have of all nodes, as the leader says; 0 if it is not limited. */
  long limit(String application) {
    return CalmCluster.leading(cluster).control().stream()
        .flatMap(control -> control.limits().stream())
        .filter(limit -> limit.application().equals(application))
        .mapToLong(ServiceLimit::perSecond)
        .findFirst()
        .orElse(0);
  }

  /** How many windows the leader says that it waits until it takes something back. */
  int saidPatience() {
    return CalmCluster.leading(cluster).control().orElseThrow().patience();
  }

  /** From how many reads a second of a copy on the leader says that hot-spot replicas are made. */
  OptionalLong saidThreshold() {
    return CalmCluster.leading(cluster).control().orElseThrow().hotThreshold();
  }

  TableBook tables() {
    return sight.tables();
  }

  /** What the leader says that was decided for objectives, the newest last. */
  List<Decision> decidedForObjectives() {
    return CalmCluster.leading(cluster).decisions().stream()
        .filter(one -> one.cause() == Decision.Cause.OBJECTIVE)
        .toList();
  }

  List<ControlAction> actions() {
    return sight.actions();
  }

  /** Numbers of nodes whose processes run. */
  List<Long> running() {
    return sight.running().stream().map(host -> host.id().value()).toList();
  }

  long done(ActionKind kind) {
    return actions().stream()
        .filter(action -> action.kind() == kind && action.stage() == ActionStage.DONE)
        .count();
  }

  /** The node that coordination says leads. */
  NodeId leader() {
    return CalmCluster.leader(cluster).id();
  }

  // --- what was seen

  /** What was found to be wrong by now. */
  List<String> faults() {
    return watch.faults();
  }

  /** The fewest nodes that had places since there were three. */
  int placesLeast() {
    return watch.placesLeast();
  }

  /** Actions that were begun within that time, up to now. */
  long begunWithin(long nanos) {
    return watch.begunWithin(nanos);
  }

  // --- clients

  /** An application asks for so many operations a second from now on. */
  void ask(String application, double perSecond) {
    clients.ask(application, perSecond);
  }

  /** So many clients of an application ask again as soon as they are answered from now on. */
  void askAgain(String application, int clients) {
    this.clients.askAgain(application, clients);
  }

  /** Response times are so many times as long as the model that the controller goes by says. */
  void harder(double times) {
    clients.harder(times);
  }

  /** An application's response times are so many times as long as others'. */
  void slower(String application, double times) {
    clients.slower(application, times);
  }

  /** So much of a response time is always the same. */
  void fixed(long nanos) {
    clients.fixed(nanos);
  }

  /** Where nodes are busier than that, such a part of the operations is refused at once. */
  void refused(double above, double part) {
    clients.refused(above, part);
  }

  /** A node has so many times as much to do as the others, until primaries have moved. */
  void hot(NodeId node, double times) {
    clients.hot(node, times);
  }

  /** From now on a client tells nodes of applications and tables that it has invented. */
  void inventNames() {
    CalmCluster.every(world, SECOND / 4, clients::invent);
  }

  /** So many reads at once of a node, by a client that says that it is an application. */
  List<ClientReply> burst(String application, int reads) {
    return bursts(List.of(application), reads).getFirst();
  }

  /** As above, by clients of several applications at the same time. */
  List<List<ClientReply>> bursts(List<String> applications, int reads) {
    return clients.bursts(applications, reads);
  }

  /** So many reads at once of a certain node, by a client that says that it is an application. */
  List<ClientReply> burst(NodeId node, String application, int reads) {
    return clients.bursts(sight.host(node).orElseThrow(), List.of(application), reads).getFirst();
  }

  // --- operators

  void promise(String application, ServiceClass serviceClass) {
    promise(application, serviceClass, Statistic.P99);
  }

  /** An application of best effort, with a weight beside others. */
  void promise(String application, int weight) {
    tell(new AdminRequest.SetObjective(Objective.bestEffort(application).weight(weight), 1));
  }

  /** A guarantee for so many operations a second. */
  void promiseRate(String application, long rate) {
    tell(
        new AdminRequest.SetObjective(
            Objective.guaranteed(application).p99(Duration.ofNanos(PROMISED_NANOS)).rate(rate), 1));
  }

  private void promise(String application, ServiceClass serviceClass, Statistic statistic) {
    tell(
        new AdminRequest.SetObjective(
            new Objective(
                application,
                List.of(),
                serviceClass,
                1,
                serviceClass == ServiceClass.GUARANTEED
                    ? List.of(new ResponseTarget(statistic, Duration.ofNanos(PROMISED_NANOS)))
                    : List.of(),
                ObjectiveWorkload.UNSTATED.with(new OperationRate(1_000_000))),
            1));
  }

  /** A guarantee for so many clients that read, each with one operation under way. */
  static AdminRequest forClients(String application, int clients) {
    return new AdminRequest.SetObjective(
        new Objective(
            application,
            List.of(),
            ServiceClass.GUARANTEED,
            1,
            List.of(new ResponseTarget(Statistic.MEAN, Duration.ofNanos(PROMISED_NANOS))),
            new ObjectiveWorkload(
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalInt.of(100),
                Optional.empty(),
                Optional.of(new ClientCount(clients)))),
        1);
  }

  void mode(ControlMode mode, int nodesMax) {
    mode(mode, nodesMax, 0);
  }

  /** With a bound of what an hour of all nodes may cost, in thousandths. */
  void mode(ControlMode mode, int nodesMax, long costMaxMilli) {
    tell(new AdminRequest.SetControl(new ControlSettings(mode, nodesMax, costMaxMilli)));
  }

  void tell(AdminRequest request) {
    Optional<Outcome> outcome = outcomeOf(request);
    if (!outcome.equals(Optional.of(Outcome.DONE))) {
      watch.fault(request + " is " + outcome);
    }
  }

  /** Tells the leader something until it is over; empty if it never is. */
  Optional<Outcome> outcomeOf(AdminRequest request) {
    requests++;
    Optional<Outcome> outcome = Optional.empty();
    for (int look = 0; outcome.isEmpty() && look < 10_000; look++) {
      outcome = told(request, requests);
      run(20 * MILLI);
    }
    return outcome;
  }

  private Optional<Outcome> told(AdminRequest request, long id) {
    if (sight.leader().isEmpty() || !(CalmCluster.leader(cluster).machine() instanceof Node node)) {
      return Optional.empty();
    }
    Decision decision = node.adminRequest(request, id);
    boolean isOver = decision.number() > 0 && decision.outcome() != Outcome.UNDER_WAY;
    return isOver && decision.outcome() != Outcome.PUT_OFF
        ? Optional.of(decision.outcome())
        : Optional.empty();
  }

  /** All nodes become another build, one after the other. */
  void upgrade(String to) {
    build = to;
    for (SimHost host : sight.running()) {
      host.crash();
      run(SECOND);
      host.start();
      run(30 * SECOND);
    }
  }

  // --- what goes wrong

  /** A node crashes. */
  void crash(NodeId node) {
    sight.host(node).orElseThrow().crash();
  }

  /** A node that crashed is started again. */
  void start(NodeId node) {
    sight.host(node).orElseThrow().start();
  }

  /** The leader crashes, and comes back; returns whether there was one. */
  boolean crashLeader() {
    return crashes.crash();
  }

  /** The leader crashes within some time. */
  void crashLeaderWithin(long nanos) {
    crashes.within(nanos);
  }

  /** From now on the leader crashes each time that an action is seen to be a step further. */
  void crashLeaderAtEachStep() {
    crashes.atEachStep();
  }

  /** At which steps of which actions it has crashed: {@code add node: ordered}. */
  SortedSet<String> killedAt() {
    return crashes.killedAt();
  }

  /** The leader's clock jumps forward. */
  void jumpLeadersClock(long nanos) {
    CalmCluster.leader(cluster).jumpClock(nanos);
  }

  /** For a while the leader reaches coordination no more; it does reach all else. */
  void cutLeaderOff(long nanos) {
    cluster.coordination().cutOff(leader(), nanos);
  }

  /**
   * Runs until the leader has begun to drain a node, for some minutes at most; returns whether it
   * has.
   */
  boolean awaitDrain(NodeId node) {
    for (int look = 0; look < 30_000; look++) {
      if (isDraining(node)) {
        return true;
      }
      run(20 * MILLI);
    }
    return false;
  }

  private boolean isDraining(NodeId node) {
    return sight.leader().isPresent()
        && CalmCluster.leader(cluster).machine() instanceof Node leading
        && leading.decisions().stream()
            .anyMatch(
                one -> one.what().equals("drain " + node) && one.outcome() == Outcome.UNDER_WAY);
  }

  /** The provisioner says of each order that it was followed, and follows few. */
  void provisionerLies() {
    provisioner.lies();
  }

  /** Whether the provisioner does nothing at all, whatever it is told. */
  void provisionerRests(boolean rests) {
    provisioner.rests(rests);
  }

  /** How often the provisioner was told to take a node away. */
  int removalsOf(NodeId node) {
    return provisioner.removalsOf(node);
  }

  /** A node goes for good. */
  void lose(NodeId node) {
    provisioner.lose(node);
  }
}
