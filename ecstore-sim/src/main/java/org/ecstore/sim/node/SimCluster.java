package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.StateMachine;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.window.TaskCompletions;
import org.ecstore.engines.window.ValueSizes;
import org.ecstore.engines.window.WindowedEngine;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.sim.ledger.RecordedFloor;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.jspecify.annotations.Nullable;

/** Machines with their disks, the network between them, their ledger and their coordination. */
public final class SimCluster {
  /** So that memory of values is used again as often as it is made. */
  private static final ValueSizes OFF_HEAP = new ValueSizes(1, 64, 256);

  private final World world;
  private final SwarmSettings settings;
  private final NodeMutation mutation;
  private final Function<NodeId, NodeSettings> nodeSettings;
  private final SimNetwork network;
  private final SimLedger ledger;
  private final SimCoordination coordination;
  private final RecordedFloor floor;
  private final List<SimHost> hosts = new ArrayList<>();
  private final Map<SimHost, MemoryStore> disks = new LinkedHashMap<>();
  private final Map<SimHost, WindowedEngine> engines = new LinkedHashMap<>();
  private final Map<SimHost, TaskCompletions> engineTasks = new LinkedHashMap<>();
  private final Map<SimHost, EnginePace> paces = new LinkedHashMap<>();
  private final List<Consumer<SimHost>> emptied = new ArrayList<>();

  /** Steps of engines that may have changed what they have, by machine. */
  private final Map<SimHost, Long> changes = new HashMap<>();

  private @Nullable CallCosts costs;

  /** Machines for all nodes and newcomers of the settings, none of them started. */
  public SimCluster(
      World world,
      SwarmSettings settings,
      NodeMutation mutation,
      Function<NodeId, NodeSettings> nodeSettings) {
    this.world = world;
    this.settings = settings;
    this.mutation = mutation;
    this.nodeSettings = nodeSettings;
    this.network = new SimNetwork(world, settings.network(), new RealCodecs());
    this.ledger = mutation.ledger().create(world, settings.ledger());
    this.floor = new RecordedFloor(ledger);
    this.coordination = mutation.coordination().create(world, settings.coordination());
    int machines = settings.nodes() + settings.newcomers();
    for (int i = 1; i <= machines; i++) {
      addHost(new NodeId(i));
    }
  }

  public SimNetwork network() {
    return network;
  }

  public SimLedger ledger() {
    return ledger;
  }

  public SimCoordination coordination() {
    return coordination;
  }

  /** What the ledger says of the versions that may go. */
  public RecordedFloor floor() {
    return floor;
  }

  public List<SimHost> hosts() {
    return hosts;
  }

  public MemoryStore disk(SimHost host) {
    MemoryStore disk = disks.get(host);
    if (disk == null) {
      throw new IllegalStateException("no disk of " + host.id());
    }
    return disk;
  }

  /** The engine of a machine's present process, or of the one before. */
  public WindowedEngine engine(SimHost host) {
    WindowedEngine engine = engines.get(host);
    if (engine == null) {
      throw new IllegalStateException("no engine of " + host.id());
    }
    return engine;
  }

  public List<MemoryStore> disks() {
    return List.copyOf(disks.values());
  }

  /** The machine gets an empty disk; its process must not run. */
  public void replaceDisk(SimHost host) {
    disks.put(host, store(host.id()));
    changes.merge(host, 1L, Long::sum);
  }

  private MemoryStore store(NodeId node) {
    EngineTraits engine = nodeSettings.apply(node).traits().engineTraits();
    return engine.equals(EngineTraits.of("")) ? new MemoryStore() : new MemoryStore(engine);
  }

  /** Hears of stores that have lost all they had, with their machine or under a living node. */
  public void onEmptied(Consumer<SimHost> listener) {
    emptied.add(listener);
  }

  /** Grows with whatever may have changed what a machine's engine and store have. */
  public long changes(SimHost host) {
    return changes.getOrDefault(host, 0L);
  }

  private static void change(Runnable changed, Runnable step) {
    changed.run();
    step.run();
  }

  /** Whether a machine's store loses what it has with whatever keeps it. */
  public boolean forgets(SimHost host) {
    return !disk(host).profile().persists();
  }

  /** The server that keeps a machine's store is started again, with nothing; its node lives on. */
  public void emptyStore(SimHost host) {
    world.happened("a store in memory is emptied");
    disk(host).lose(mutation.lossIsNoticed());
    changes.merge(host, 1L, Long::sum);
    emptied.forEach(listener -> listener.accept(host));
  }

  /** The store of a machine's present process does not answer from now on, or does again. */
  public void hangStore(SimHost host, boolean hangs) {
    EnginePace pace = paces.get(host);
    if (pace == null) {
      throw new IllegalStateException("no engine of " + host.id());
    }
    pace.hang(hangs);
  }

  private void addHost(NodeId id) {
    SimHost host = new SimHost(world, id, settings.stepEventsMax(), this::startProcess);
    hosts.add(host);
    disks.put(host, store(id));
    network.add(host);
    SimRandom crashes = world.random("disk" + id.value());
    SimRandom servers = world.random("server of the store" + id.value());
    host.onCrash((_, life) -> ledger.crashed(life));
    host.onCrash((_, life) -> coordination.crashed(life));
    host.onCrash(
        (crashed, _) -> {
          TaskCompletions tasks = engineTasks.remove(crashed);
          if (tasks != null) {
            tasks.crash();
            if (engine(crashed).folding() > 0) {
              world.happened("a fold half done");
            }
          }
          disk(crashed).crash(crashes);
          if (forgets(crashed) && servers.chance(0.3)) {
            emptyStore(crashed);
          }
        });
  }

  /** From now on processes that start occupy their machines for what their work costs. */
  public void costs(CallCosts costs) {
    this.costs = costs;
  }

  private static CostedPorts costed(SimHost host, CallCosts costs) {
    CostedPorts ports = new CostedPorts(costs);
    host.occupiedBy(ports::cost);
    return ports;
  }

  private StateMachine startProcess(SimHost host, Life life) {
    String name = life.name();
    Runnable changed = () -> changes.merge(host, 1L, Long::sum);
    SimRandom delays = world.random("engine delays " + name);
    SwarmSettings.EngineFaults faults = settings.engine();
    EnginePace pace =
        new EnginePace(
            world, world.random("engine holds " + name), () -> engineDelay(delays, faults));
    TaskCompletions tasks =
        new TaskCompletions(
            world.random("engine " + name),
            step -> pace.later(() -> change(changed, step)),
            life::post);
    tasks.readsLater(pace::read);
    disk(host).reopen();
    WindowedEngine engine =
        new WindowedEngine(
            disk(host), tasks, pace.watching(life::post), () -> true, mutation.engine(), OFF_HEAP);
    slowFolds(tasks, world.random("folds " + name), changed);
    narrow(engine, world.random("window " + name));
    engines.put(host, engine);
    paces.put(host, pace);
    TaskCompletions before = engineTasks.put(host, tasks);
    if (before != null) {
      before.crash();
    }
    SimRandom load = world.random("engine load " + name);
    if (load.chance(0.3)) {
      double share = load.chance(0.5) ? 0.01 : 0.1;
      tasks.overload(() -> world.faulty() && load.chance(share));
    }
    Clock clock = host.clock();
    SimTimers timers = new SimTimers(world, host::clockNanos, host::realNanos, life);
    host.onClockJump(timers::clockJumped);
    Ports ports =
        new Ports(
            clock,
            timers,
            world.random("node " + name),
            network.port(host),
            new SimEngine(world, host.id(), engine, floor, changed),
            ledger.port(life),
            coordination.port(life),
            new SimJournal(world, host),
            Metrics.NONE);
    Ports given = costs == null ? ports : costed(host, costs).over(ports);
    return mutation.nodes().create(host.id(), nodeSettings.apply(host.id()), given);
  }

  /** In some lives folds take so long that copies come and go meanwhile. */
  private void slowFolds(TaskCompletions tasks, SimRandom random, Runnable changed) {
    if (settings.prunes() && random.chance(0.3)) {
      long nanosMax = random.skewedNanos(SwarmSettings.MILLI, 400 * SwarmSettings.MILLI);
      tasks.foldsLater(
          step ->
              world
                  .scheduler()
                  .after(random.between(1, world.atMost(nanosMax)), () -> change(changed, step)));
    }
  }

  /** In some lives the window is full with some tens of versions. */
  private void narrow(WindowedEngine engine, SimRandom random) {
    if (settings.prunes() && random.chance(0.25)) {
      engine.windowBytesMax(random.skewed(3_000, 200_000));
    }
  }

  private long engineDelay(SimRandom delays, SwarmSettings.EngineFaults faults) {
    if (world.faulty() && delays.chance(faults.stall())) {
      return delays.between(faults.readNanosMax(), faults.stallNanosMax());
    }
    long most = delays.chance(0.5) ? faults.readNanosMax() : faults.applyNanosMax();
    return delays.skewed(10_000L, world.atMost(most));
  }
}
