package org.ecstore.sim;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.limit.NodeUse;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.control.ControlBook;
import org.ecstore.txn.qos.control.ControlBookForm;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.measured.TableBook;
import org.ecstore.txn.qos.measured.TableBookForm;
import org.ecstore.txn.qos.measured.TableKeeper;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * A simulated cluster whose controller acts: clients, what nodes use and what takes them long are a
 * model, the provisioner hangs, is slow and tells twice, leaders crash, answers of coordination get
 * lost.
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

  private static final double NODE_PER_SECOND = 1_000;
  private static final double SERVICE_NANOS = 5.0 * MILLI;
  private static final long PROMISED_NANOS = 20 * MILLI;
  private static final double BUSY_MAX = 0.98;
  private static final ControlTiming TIMING = new ControlTiming(10 * SECOND, 6, 300 * SECOND);
  private static final long REPORT_NANOS = 5 * SECOND;

  /** The number of a client, of those that the network knows. */
  private static final int BURSTING = 7;

  private static final long STEP_LOOK_NANOS = 20 * MILLI;

  /** So much later than an action is over an order for it is a fault. */
  private static final long LATE_NANOS = 30 * SECOND;

  /** Orders of an action that a provisioner which lies follows otherwise than it says. */
  private static final int LIES = 2;

  /** How much greater than the number that was asked for that of another node is. */
  private static final int OTHER = 5;

  /** How the controller is made. */
  interface Controllers {
    Controller of(Parts parts);
  }

  /** Of what a controller is made. */
  record Parts(
      NodeContext context,
      Sequencer sequencer,
      ControlledCluster cluster,
      ObjectiveKeeper objectives,
      Provisioner provisioner,
      Decisions decisions) {
    Controller right() {
      return new Controller(
          context,
          sequencer::active,
          TIMING,
          100 * MILLI,
          cluster,
          objectives,
          provisioner,
          decisions);
    }
  }

  /** What people, or the weather, do to it. */
  record Weather(boolean leadersCrash, boolean provisionerIsBad, double answersLost) {
    static final Weather CALM = new Weather(false, false, 0);
    static final Weather BAD = new Weather(true, true, 0.2);
  }

  private final World world;
  private final SimCluster cluster;
  private final SimRandom random;
  private final Weather weather;
  private final Controllers controllers;
  private final List<String> faults = new ArrayList<>();
  private final Map<Long, Set<NodeId>> ordered = new HashMap<>();
  private final Set<NodeId> removed = new HashSet<>();
  private final Map<String, Double> demand = new HashMap<>();
  private final Map<String, Double> limits = new HashMap<>();

  /** Actions that take a node away, as they were seen first. */
  private final Set<Long> seen = new HashSet<>();

  /** When actions were seen first, and when they were seen to be over, by their numbers. */
  private final SortedMap<Long, Long> begun = new TreeMap<>();

  private final SortedMap<Long, Long> over = new TreeMap<>();

  /** Steps at which the leader was killed, with the numbers of actions and without. */
  private final Set<String> killed = new HashSet<>();

  private final SortedSet<String> killedAt = new TreeSet<>();

  /** How often something was ordered, by action. */
  private final Map<Long, Integer> orders = new HashMap<>();

  /** Which node has more to do than others, until primaries have moved. */
  private Optional<NodeId> hot = Optional.empty();

  private double hotTimes = 1;
  private boolean provisionerLies;
  private boolean provisionerRests;
  private int placesLeast = NODES;
  private long requests;

  /** Of nodes that start from now on. */
  private String build = BUILD;

  /** Of a response time, what does not become less on more nodes. */
  private double fixedNanos;

  /** By how much a response time is longer than the model that the controller goes by says. */
  private double harder = 1;

  ControlledRun(long seed, Weather weather, Controllers controllers) {
    this(seed, weather, controllers, Optional.empty());
  }

  /** As above, of nodes that say what an hour of each costs. */
  ControlledRun(long seed, Weather weather, Controllers controllers, Optional<BigDecimal> price) {
    this.weather = weather;
    this.controllers = controllers;
    world = new World(seed, new Trace(null));
    random = world.random("control");
    cluster =
        new SimCluster(
            world,
            settings(weather),
            new NodeMutation(
                "control",
                (self, settings, ports) -> new Node(self, settings, new ModelParts(self), ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id ->
                NodeSettings.defaults("sim", "n" + id + ":1")
                    .withCopies(NODES)
                    .withControl(TIMING)
                    .withTraits(new NodeTraits("small", price, build, ENGINE)));
    cluster.hosts().stream().limit(NODES).forEach(SimHost::start);
    run(MINUTE);
    every(REPORT_NANOS, this::report);
    every(SECOND, this::look);
    if (weather.leadersCrash()) {
      crashLater();
    }
  }

  private static SwarmSettings settings(Weather weather) {
    SwarmSettings.CoordinationFaults coordination =
        new SwarmSettings.CoordinationFaults(
            20 * MILLI, 20 * MILLI, SECOND, 200 * MILLI, weather.answersLost(), 0);
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

  void run(long nanos) {
    CalmCluster.run(world, nanos);
  }

  // --- what is there

  private Optional<ClusterState> state() {
    return cluster.coordination().value(Steward.KEY).map(ClusterStateCodec::decode);
  }

  int places() {
    return state().map(known -> known.tree().inOrder().size()).orElse(0);
  }

  ControlBook book() {
    return cluster
        .coordination()
        .value(Controller.KEY)
        .map(bytes -> new ControlBookForm().decode(bytes))
        .orElse(ControlBook.EMPTY);
  }

  /** Numbers of nodes whose processes run. */
  List<Long> running() {
    return cluster.hosts().stream().filter(SimHost::isUp).map(host -> host.id().value()).toList();
  }

  long done(ActionKind kind) {
    return book().actions().stream()
        .filter(action -> action.kind() == kind && action.stage() == ActionStage.DONE)
        .count();
  }

  List<ControlAction> actions() {
    return book().actions();
  }

  /** The fewest nodes that had places since there were three. */
  int placesLeast() {
    return placesLeast;
  }

  /** What a response time is on so many nodes, in nanoseconds. */
  private double responseNanos(int nodes) {
    double all = demand.keySet().stream().mapToDouble(this::has).sum();
    double busy = Math.min(BUSY_MAX, hotTimes() * all / (NODE_PER_SECOND * Math.max(1, nodes)));
    return fixedNanos + harder * SERVICE_NANOS / (1 - busy);
  }

  private void look() {
    lookAtLimits();
    placesLeast = Math.min(placesLeast, places());
    for (ControlAction action : actions()) {
      begun.putIfAbsent(action.number(), world.nowNanos());
      if (action.stage().isOver()) {
        over.putIfAbsent(action.number(), world.nowNanos());
      }
      boolean hasMoved =
          action.stage() == ActionStage.MEASURING || action.stage() == ActionStage.DONE;
      if (action.kind() == ActionKind.REBALANCE && hasMoved) {
        hot = Optional.empty();
      }
    }
    long open = actions().stream().filter(action -> !action.stage().isOver()).count();
    book()
        .current()
        .filter(action -> action.kind() == ActionKind.REMOVE_NODE && seen.add(action.number()))
        .ifPresent(
            action -> {
              if (places() <= NODES) {
                fault(action.what() + ", which copies need");
              } else if (responseNanos(places() - 1) > PROMISED_NANOS) {
                fault(action.what() + ", which the promise needs");
              }
            });
    if (open > 1) {
      fault("two actions at a time: " + actions());
    }
  }

  private void fault(String text) {
    if (!faults.contains(text)) {
      faults.add(text);
    }
  }

  /** What was found to be wrong by now. */
  List<String> faults() {
    world.violations().forEach(violation -> fault(violation.toString()));
    return List.copyOf(faults);
  }

  /** Actions that were begun within the hour that had most of them. */
  long mostInAnHour() {
    return begun.values().stream()
        .mapToLong(
            from -> begun.values().stream().filter(at -> at >= from && at < from + HOUR).count())
        .max()
        .orElse(0);
  }

  /** Actions that were begun within that time, up to now. */
  long begunWithin(long nanos) {
    return begun.values().stream().filter(at -> at > world.nowNanos() - nanos).count();
  }

  /** How far the last action is, in words; empty if there is none, or it only was considered. */
  private Optional<String> step() {
    return actions().isEmpty() ? Optional.empty() : step(actions().getLast());
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
    boolean hasPlace = placed().contains(node);
    boolean runs = host(node).filter(SimHost::isUp).isPresent();
    if (action.kind() == ActionKind.ADD_NODE) {
      String ordering = orders.containsKey(action.number()) ? "ordered" : "begun";
      return hasPlace ? "has its place" : runs ? "runs" : ordering;
    }
    return hasPlace ? "begun" : runs ? "drained" : "gone";
  }

  private List<NodeId> placed() {
    return state().stream()
        .flatMap(known -> known.tree().inOrder().stream())
        .map(Place::node)
        .toList();
  }

  // --- clients

  /** An application asks for so many operations a second from now on. */
  void ask(String application, double perSecond) {
    demand.put(application, perSecond);
  }

  void harder(double times) {
    harder = times;
  }

  /** So much of a response time is always the same. */
  void fixed(long nanos) {
    fixedNanos = nanos;
  }

  /** All nodes become another build, one after the other. */
  void upgrade(String to) {
    build = to;
    for (SimHost host : cluster.hosts().stream().filter(SimHost::isUp).toList()) {
      host.crash();
      run(SECOND);
      host.start();
      run(30 * SECOND);
    }
  }

  private double has(String application) {
    return Math.min(
        demand.getOrDefault(application, 0.0),
        limits.getOrDefault(application, Double.POSITIVE_INFINITY));
  }

  /**
   * What the node that leads tells nodes that applications may have; while none leads, as before.
   */
  private void lookAtLimits() {
    if (book().caps().isEmpty()) {
      limits.clear();
      return;
    }
    if (cluster.coordination().leader().isEmpty()
        || !(CalmCluster.leader(cluster).machine() instanceof Node node)) {
      return;
    }
    node.control()
        .ifPresent(
            control -> {
              limits.clear();
              control.limits().stream()
                  .filter(limit -> limit.perSecond() > 0)
                  .forEach(limit -> limits.put(limit.application(), (double) limit.perSecond()));
            });
  }

  private double hotTimes() {
    return hot.isPresent() ? hotTimes : 1;
  }

  /** A node has so many times as much to do as the others, until primaries have moved. */
  void hot(NodeId node, double times) {
    hot = Optional.of(node);
    hotTimes = times;
  }

  private double busy(NodeId of) {
    double times = hot.equals(Optional.of(of)) ? hotTimes : 1;
    return Math.min(BUSY_MAX, times * busy());
  }

  private double busy() {
    double all = demand.keySet().stream().mapToDouble(this::has).sum();
    return Math.min(BUSY_MAX, all / (NODE_PER_SECOND * Math.max(1, places())));
  }

  private void report() {
    List<SimHost> up =
        cluster.hosts().stream().filter(host -> host.machine() instanceof Node).toList();
    if (up.isEmpty()) {
      return;
    }
    long nanos = Math.round(responseNanos(places()));
    for (String application : List.of(SHOP, REPORTS, LOGS)) {
      int operations = (int) Math.round(has(application) * REPORT_NANOS / SECOND);
      if (operations > 0) {
        long[] counts = new long[LatencySketch.INTERVALS];
        counts[LatencySketch.interval(nanos)] = operations;
        ServiceSample sample =
            new ServiceSample("", operations, 0, nanos, LatencySketch.of(counts));
        random
            .pick(up)
            .currentLife()
            .post(new Event.Reported(1, application, ServiceFields.report(List.of(sample))));
      }
    }
  }

  /** So many reads at once of a node, by a client that says that it is an application. */
  List<ClientReply> burst(String application, int reads) {
    return bursts(List.of(application), reads).getFirst();
  }

  /** As above, by clients of several applications at the same time. */
  List<List<ClientReply>> bursts(List<String> applications, int reads) {
    SimHost host = cluster.hosts().stream().filter(SimHost::isUp).findFirst().orElseThrow();
    List<List<ClientReply>> all = new ArrayList<>();
    List<Long> connections = new ArrayList<>();
    for (String application : applications) {
      List<ClientReply> replies = new ArrayList<>();
      long connection = connection(host, BURSTING + all.size(), replies);
      host.currentLife().post(new Event.Greeted(connection, application));
      connections.add(connection);
      all.add(replies);
    }
    run(SECOND);
    Bytes key = Tuple.of("t", "k").encode();
    for (int i = 1; i <= reads; i++) {
      for (long connection : connections) {
        cluster
            .network()
            .call(
                connection,
                i,
                new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), Epoch.ZERO, List.of(key)));
      }
    }
    run(SECOND);
    return all;
  }

  private long connection(SimHost host, int client, List<ClientReply> replies) {
    return cluster
        .network()
        .connect(
            client,
            host.id(),
            new SimNetwork.ClientEnd() {
              @Override
              public void replied(long correlation, ClientReply reply) {
                replies.add(reply);
              }

              @Override
              public void broken() {}
            });
  }

  // --- operators

  void promise(String application, ServiceClass serviceClass) {
    promise(application, serviceClass, Statistic.P99);
  }

  /** An application of best effort, with a weight beside others. */
  void promise(String application, int weight) {
    tell(new AdminRequest.SetObjective(Objective.bestEffort(application).weight(weight), 1));
  }

  void promise(String application, ServiceClass serviceClass, Statistic statistic) {
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

  TableBook tables() {
    return cluster
        .coordination()
        .value(TableKeeper.KEY)
        .map(bytes -> new TableBookForm().decode(bytes))
        .orElse(TableBook.EMPTY);
  }

  /** The leader crashes within some time. */
  void crashLeaderWithin(long nanos) {
    world.scheduler().after(random.between(MILLI, nanos), this::crashLeader);
  }

  void tell(AdminRequest request) {
    Optional<Outcome> outcome = outcomeOf(request);
    if (!outcome.equals(Optional.of(Outcome.DONE))) {
      fault(request + " is " + outcome);
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
    if (cluster.coordination().leader().isEmpty()
        || !(CalmCluster.leader(cluster).machine() instanceof Node node)) {
      return Optional.empty();
    }
    Decision decision = node.adminRequest(request, id);
    boolean isOver = decision.number() > 0 && decision.outcome() != Outcome.UNDER_WAY;
    return isOver && decision.outcome() != Outcome.PUT_OFF
        ? Optional.of(decision.outcome())
        : Optional.empty();
  }

  // --- what goes wrong

  private void crashLater() {
    world
        .scheduler()
        .after(
            random.between(20 * SECOND, 300 * SECOND),
            () -> {
              crashLeader();
              crashLater();
            });
  }

  /** The leader crashes, and comes back; returns whether there was one. */
  boolean crashLeader() {
    if (cluster.coordination().leader().isEmpty()) {
      return false;
    }
    SimHost leader = CalmCluster.leader(cluster);
    if (!leader.isUp()) {
      return false;
    }
    leader.crash();
    world
        .scheduler()
        .after(
            random.between(MILLI, 3 * SECOND),
            () -> {
              if (!removed.contains(leader.id())) {
                leader.start();
              }
            });
    return true;
  }

  /** From now on the leader crashes each time that an action is seen to be a step further. */
  void crashLeaderAtEachStep() {
    every(
        STEP_LOOK_NANOS,
        () ->
            step()
                .ifPresent(
                    step -> {
                      ControlAction last = actions().getLast();
                      String named = last.kind().words() + ": " + step;
                      String key = last.number() + " " + named;
                      if (!killed.contains(key) && crashLeader()) {
                        killed.add(key);
                        killedAt.add(named);
                      }
                    }));
  }

  /** At which steps of which actions it has crashed: {@code add node: ordered}. */
  SortedSet<String> killedAt() {
    return killedAt;
  }

  /** The leader's clock jumps forward. */
  void jumpLeadersClock(long nanos) {
    CalmCluster.leader(cluster).jumpClock(nanos);
  }

  /**
   * The provisioner says of each order that it was followed. Of the first for an action it brings
   * another node, or does not take away; of the second it brings one that ends at once.
   */
  void provisionerLies() {
    provisionerLies = true;
  }

  /** Whether the provisioner does nothing at all, whatever it is told. */
  void provisionerRests(boolean rests) {
    provisionerRests = rests;
  }

  /** A node goes for good. */
  void lose(NodeId node) {
    removed.add(node);
    host(node).ifPresent(SimHost::crash);
  }

  private Optional<SimHost> host(NodeId node) {
    return cluster.hosts().stream().filter(host -> host.id().equals(node)).findFirst();
  }

  /** The world's, which all nodes share. */
  private final class WorldsProvisioner implements Provisioner {
    @Override
    public boolean isThere() {
      return true;
    }

    @Override
    public String words() {
      return provisionerLies ? "all that was ordered is there" : "the world";
    }

    /** Counts an order; which of its action it is, from 1. */
    private int counted(long action, NodeId node) {
      long overAt = over.getOrDefault(action, Long.MAX_VALUE - LATE_NANOS);
      if (world.nowNanos() > overAt + LATE_NANOS) {
        fault("action " + action + " orders " + node + " and was over long before");
      }
      return orders.merge(action, 1, Integer::sum);
    }

    private boolean hangs() {
      return provisionerRests || (weather.provisionerIsBad() && random.chance(0.6));
    }

    private long delay() {
      return weather.provisionerIsBad() ? random.between(MILLI, 60 * SECOND) : SECOND;
    }

    @Override
    public void add(long action, NodeId node) {
      int order = counted(action, node);
      Set<NodeId> nodes = ordered.computeIfAbsent(action, _ -> new HashSet<>());
      nodes.add(node);
      if (nodes.size() > 1) {
        fault("action " + action + " has ordered " + nodes);
      }
      if (removed.contains(node)) {
        fault(node + " is ordered and was removed before");
      } else if (provisionerLies && order <= LIES) {
        lie(order, node);
      } else if (!hangs()) {
        world.scheduler().after(delay(), () -> host(node).ifPresent(SimHost::start));
      }
    }

    private void lie(int order, NodeId node) {
      if (order == 1) {
        NodeId other = new NodeId(node.value() + OTHER);
        world.scheduler().after(SECOND, () -> host(other).ifPresent(SimHost::start));
      } else {
        world.scheduler().after(SECOND, () -> host(node).ifPresent(SimHost::start));
        world.scheduler().after(2 * SECOND, () -> host(node).ifPresent(SimHost::crash));
      }
    }

    @Override
    public void remove(long action, NodeId node) {
      int order = counted(action, node);
      if (placed().contains(node)) {
        fault(node + " is taken away with what it has");
      }
      boolean isLie = provisionerLies && order <= LIES;
      if (!isLie && !hangs()) {
        world
            .scheduler()
            .after(
                delay(),
                () -> {
                  removed.add(node);
                  host(node).ifPresent(SimHost::crash);
                });
      }
    }
  }

  private final class ModelParts extends NodeParts {
    private final NodeId self;

    ModelParts(NodeId self) {
      this.self = self;
    }

    @Override
    public NodeUse use() {
      return new NodeUse(Math.round(busy(self) * 1_000), 0);
    }

    @Override
    public Provisioner provisioner() {
      return new WorldsProvisioner();
    }

    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(
          context,
          sequencer,
          members,
          settings.steward(),
          settings.balance(),
          settings.control(),
          provisioner()) {
        @Override
        protected ServiceLevels newServiceLevels(ServiceLevels.Surroundings surroundings) {
          return new ServiceLevels(surroundings) {
            @Override
            protected Controller newController(Surroundings with, ObjectiveKeeper promised) {
              return controllers.of(
                  new Parts(
                      context,
                      sequencer,
                      with.cluster(),
                      promised,
                      with.provisioner(),
                      with.decisions()));
            }
          };
        }
      };
    }
  }
}
