package org.ecstore.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Ledger;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimCoordination;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;

/**
 * Brings about the greater misfortunes of the safety phase: crashes of a node, in the very step
 * too, and of all at once, clean stops, partitions of all shapes, pauses in which sessions end,
 * broken connections, wrong election hints, two that are told to lead, sessions that end behind a
 * living node's back, clocks that jump and stand still, disks that fail or are full, a ledger
 * without room; copies of a range that are cut off while it gets others; and any of them in the
 * middle of a take-over.
 */
final class Nemesis {
  private final World world;
  private final SwarmSettings settings;
  private final SwarmSettings.Nemesis strength;
  private final SimRandom random;
  private final List<SimHost> hosts;
  private final SimCluster cluster;
  private final SimNetwork network;
  private final SimLedger ledger;
  private final SimCoordination coordination;
  private final RecordAssembler records = new RecordAssembler();
  private final Reshaping reshaping;
  private final Optional<CopiesCutOff> copiesCutOff;
  private final LongOutages longOutages;

  /** Nodes that fold all they have, to stop then. */
  private final Map<SimHost, Node> stopping = new LinkedHashMap<>();

  /**
   * That of a run.
   *
   * @param passers reads, at a node, by clients who have seen nothing before
   */
  Nemesis(World world, SwarmSettings settings, SimCluster cluster, Consumer<NodeId> passers) {
    this.world = world;
    this.settings = settings;
    this.strength = settings.nemesis();
    this.random = world.random("nemesis");
    this.cluster = cluster;
    this.hosts = cluster.hosts();
    this.network = cluster.network();
    this.ledger = cluster.ledger();
    this.coordination = cluster.coordination();
    this.reshaping = new Reshaping(world, hosts, this::note);
    this.longOutages =
        new LongOutages(world, settings, SimSettings.of(settings).steward().longFailureNanos());
    this.copiesCutOff =
        CopiesCutOff.livesIn(settings.seed())
            ? Optional.of(
                new CopiesCutOff(world, cluster, settings.safetyNanos(), this::note, passers))
            : Optional.empty();
  }

  /** How often each misfortune has come about. */
  Map<String, Integer> fired() {
    return world.happened();
  }

  void start() {
    coordination.onChange(this::mapChanges);
    ledger.onTrim(this::trimmed);
    ledger.onTakeOver(this::takesOver);
    if (settings.network().duplicate() > 0) {
      every(2 * SwarmSettings.SECOND, network::deliverStray);
    }
    if (strength.atVote() > 0 || strength.reshapeNanos() > 0) {
      network.onSend(this::sent);
    }
    if (strength.atMapChange() > 0 || copiesCutOff.isPresent()) {
      ledger.onWrite(this::written);
    }
    if (SimForger.livesIn(settings.seed())) {
      long unprovenMax = SimForger.unprovenMax(settings.seed());
      every(SwarmSettings.SECOND, new SimForger(world, cluster, unprovenMax)::forge);
    }
    if (hosts.stream().anyMatch(cluster::forgets)) {
      everyStore();
    }
    if (coordination.displacesNanos() > 0) {
      displaceNext(world.random("displacements"));
    }
    copiesCutOff.ifPresent(copies -> every(CopiesCutOff.everyNanos(settings.seed()), copies::cut));
    every(strength.crashNanos(), this::crashOne);
    every(strength.clusterCrashNanos(), this::crashAll);
    every(strength.partitionNanos(), this::partition);
    every(strength.pauseNanos(), this::pause);
    every(strength.breakNanos(), this::breakConnections);
    every(strength.hintFlapNanos(), this::flapHint);
    every(strength.leaveNanos(), this::leave);
    every(strength.hintSplitNanos(), this::splitHint);
    every(strength.reshapeNanos(), this::reshape);
    every(strength.sessionNanos(), () -> expire(random.chance(0.5) ? leader() : anyHost()));
    every(strength.clockNanos(), this::disturbClock);
    every(strength.ledgerCutNanos(), () -> cutLedger(random.chance(0.7) ? leader() : anyHost()));
    if (settings.engine().failed() > 0) {
      every(4 * SwarmSettings.SECOND, this::failDisk);
    }
    if (settings.ledger().rejected() > 0) {
      every(10 * SwarmSettings.SECOND, this::fillLedger);
    }
  }

  /** Ends every misfortune that lasts. */
  void heal() {
    network.heal();
    coordination.heal();
    ledger.heal();
    ledger.full(false);
    cluster.disks().forEach(Nemesis::heal);
    for (SimHost host : hosts) {
      host.crashAtStep(0);
      host.resume();
      host.startClock();
      if (stopping.containsKey(host) && host.machine() == stopping.get(host)) {
        host.crash();
      }
      host.start();
      if (host.machine() instanceof Node node) {
        node.stay();
      }
    }
  }

  private static void heal(MemoryStore disk) {
    disk.broken(false);
    disk.full(false);
  }

  private void every(long meanNanos, Runnable misfortune) {
    if (meanNanos <= 0) {
      return;
    }
    world
        .scheduler()
        .after(
            random.between(meanNanos / 10, 2 * meanNanos),
            () -> {
              if (world.faulty()) {
                misfortune.run();
                every(meanNanos, misfortune);
              }
            });
  }

  /** Stores in memory are emptied under their living nodes; it draws from a stream of its own. */
  private void everyStore() {
    SimRandom stores = world.random("stores in memory");
    List<SimHost> forgetful = hosts.stream().filter(cluster::forgets).toList();
    long mean = stores.between(2, 30) * SwarmSettings.SECOND;
    emptyNext(stores, forgetful, mean);
  }

  private void emptyNext(SimRandom stores, List<SimHost> forgetful, long mean) {
    whileFaulty(
        stores.between(mean / 10, 2 * mean),
        () -> {
          SimHost host = stores.pick(forgetful);
          if (host.isUp()) {
            note("a store is emptied under its living node");
            cluster.emptyStore(host);
          }
          emptyNext(stores, forgetful, mean);
        });
  }

  /** A process is started twice; it draws from a stream of its own. */
  private void displaceNext(SimRandom processes) {
    long mean = coordination.displacesNanos();
    whileFaulty(
        processes.between(mean / 10, 2 * mean),
        () -> {
          SimHost any = processes.pick(hosts);
          SimHost host =
              processes.chance(0.3) ? coordination.leader().map(this::hostOf).orElse(any) : any;
          long nanos = processes.skewedNanos(10 * SwarmSettings.MILLI, 10 * SwarmSettings.SECOND);
          if (host.isUp()) {
            note("displaced by another process");
            coordination.displace(host.id(), nanos);
            whileFaulty(processes.between(1, 2 * nanos), host::start);
          }
          displaceNext(processes);
        });
  }

  private void note(String what) {
    world.happened(what);
    world.trace().mix(what);
    world.line("nemesis", what);
  }

  private void whileFaulty(long delayNanos, Runnable task) {
    world
        .scheduler()
        .after(
            delayNanos,
            () -> {
              if (world.faulty()) {
                task.run();
              }
            });
  }

  private void crashOne() {
    SimHost host = random.chance(0.3) ? leader() : random.pick(hosts);
    if (!host.isUp()) {
      return;
    }
    if (random.chance(0.2) && host.machine() instanceof Node node) {
      stopCleanly(host, node);
      return;
    }
    if (random.chance(0.5)) {
      note("crash in a step");
      host.crashAtStep(random.chance(0.5) ? 1 : 0.05);
      whileFaulty(strength.downNanosMax() + SwarmSettings.SECOND, host::start);
    } else {
      note("crash");
      host.crash();
    }
    restartLater(host);
    if (random.chance(0.2)) {
      // Once more, soon after it has come back.
      whileFaulty(
          strength.downNanosMax() + random.between(1, 2_000) * SwarmSettings.MILLI,
          () -> {
            host.crash();
            restartLater(host);
          });
    }
  }

  /** All is folded before it stops (W11), unless that takes too long. */
  private void stopCleanly(SimHost host, Node node) {
    note("told to fold and stop");
    stopping.put(host, node);
    Consumer<String> stop =
        how -> {
          if (stopping.remove(host, node) && host.machine() == node) {
            note(how);
            crashAndRestart(host);
          }
        };
    node.fold(() -> whileFaulty(0, () -> stop.accept("stops, all is folded")));
    whileFaulty(
        random.skewedNanos(SwarmSettings.MILLI, 10 * SwarmSettings.SECOND),
        () -> stop.accept("stops in the middle of a fold"));
  }

  /** The riskiest moment: the map is changed in coordination, and not yet in the ledger. */
  private void mapChanges(NodeId author) {
    if (!world.faulty() || !random.chance(strength.atMapChange())) {
      return;
    }
    note("trouble at a map change");
    SimHost steward = hostOf(author);
    SimHost any = random.pick(hosts);
    long soon = random.skewedNanos(SwarmSettings.MICRO, SwarmSettings.SECOND);
    whileFaulty(
        random.chance(0.3) ? 0 : soon,
        switch (random.between(0, 5)) {
          case 0 -> () -> crashAndRestart(steward);
          case 1 -> () -> crashAndRestart(any);
          case 5 -> () -> tellOldNews(steward, any);
          case 2 -> () -> stop(steward, random.between(10, 3_000) * SwarmSettings.MILLI);
          case 3 -> coordination::flapHint;
          default -> this::crashAll;
        });
  }

  private void reshape() {
    SimHost steward = leader();
    reshaping.adminRequest(steward);
    if (random.chance(0.2)) {
      tellOldNews(steward, anyHost());
    }
  }

  /** A node that has acted on the change starts again, and hears only of one that has not. */
  private void tellOldNews(SimHost steward, SimHost starts) {
    SimHost lags = random.pick(hosts);
    if (lags == starts || lags == steward || starts == steward) {
      return;
    }
    note("old news at a start");
    SimNetwork.Partition apart = network.partition();
    cutFromAllBut(apart, lags, starts);
    long soon = random.skewedNanos(10 * SwarmSettings.MILLI, 3 * SwarmSettings.SECOND);
    whileFaulty(
        soon,
        () -> {
          starts.crash();
          cutFromAllBut(apart, starts, lags);
          whileFaulty(random.between(1, 100) * SwarmSettings.MILLI, starts::start);
        });
    world.scheduler().after(soon + random.between(500, 8_000) * SwarmSettings.MILLI, apart::mend);
  }

  private void cutFromAllBut(SimNetwork.Partition apart, SimHost node, SimHost heard) {
    for (SimHost other : hosts) {
      if (other != node && other != heard) {
        apart.cut(other.id().value(), node.id().value());
      }
    }
  }

  /** A map change is recorded, and hardly a node knows of it yet. */
  private void written(Ledger.LedgerEntry entry) {
    List<MapChange> changes = changes(entry);
    if (changes.isEmpty() || !world.faulty()) {
      return;
    }
    copiesCutOff.ifPresent(copies -> changes.forEach(copies::changed));
    if (!random.chance(strength.atMapChange())) {
      return;
    }
    note("trouble at an epoch record");
    SimHost victim = random.chance(0.6) ? leader() : random.pick(hosts);
    whileFaulty(
        random.skewedNanos(SwarmSettings.MICRO, 200 * SwarmSettings.MILLI),
        () -> {
          if (victim.isUp()) {
            victim.crash();
            whileFaulty(random.between(1, 100) * SwarmSettings.MILLI, victim::start);
          }
        });
  }

  private List<MapChange> changes(Ledger.LedgerEntry entry) {
    List<MapChange> changes = new ArrayList<>();
    for (int i = 0; i < entry.records().size(); i++) {
      Position at = new Position(entry.first().value() + i);
      records
          .feed(at, entry.records().get(i))
          .filter(whole -> whole.record() instanceof LedgerRecord.EpochChange)
          .ifPresent(whole -> changes.add(((LedgerRecord.EpochChange) whole.record()).change()));
    }
    return changes;
  }

  /** What the last sequencer remembered is gone or not: the next one must get by. */
  private void trimmed() {
    if (!world.faulty() || !random.chance(strength.atTrim())) {
      return;
    }
    note("trouble at a trim");
    SimHost any = random.pick(hosts);
    long soon = random.skewedNanos(SwarmSettings.MICRO, SwarmSettings.SECOND);
    whileFaulty(soon, random.chance(0.5) ? coordination::flapHint : () -> crashAndRestart(any));
  }

  /**
   * A yes is on its way: its node forgets that it gave it, and the coordinator is slow to submit.
   */
  private void sent(Envelope envelope) {
    boolean yes = envelope.body() instanceof TxnMessage.VoteReply vote && vote.no().isEmpty();
    if (yes && strength.reshapeNanos() > 0 && world.faulty()) {
      reshaping.atVote(leader());
    }
    if (!yes || !world.faulty() || !random.chance(strength.atVote())) {
      return;
    }
    note("trouble at a vote");
    SimHost voter = hostOf(envelope.from());
    SimHost coordinator = hostOf(envelope.to());
    SimHost sequencer = leader();
    long slow = random.between(10 * SwarmSettings.MILLI, 3 * SwarmSettings.SECOND);
    network.slow(coordinator.id().value(), sequencer.id().value(), slow);
    if (voter != sequencer && random.chance(0.7)) {
      whileFaulty(
          random.skewedNanos(SwarmSettings.MICRO, 5 * SwarmSettings.MILLI),
          () -> {
            voter.crash();
            whileFaulty(random.skewedNanos(1_000L, 20 * SwarmSettings.MILLI), voter::start);
          });
    }
  }

  /** A node is about to become sequencer, and another perhaps still is. */
  private void takesOver(SimLedger.TakeOverStep step, NodeId node) {
    if (step == SimLedger.TakeOverStep.SWAPPED) {
      boolean leads = coordination.leader().equals(Optional.of(node));
      world.happened(leads ? "taken over" : "taken over by one that does not lead");
      whileFaulty(
          random.skewedNanos(SwarmSettings.MILLI, 3 * SwarmSettings.SECOND), network::deliverStray);
    }
    if (!world.faulty() || !random.chance(strength.atTakeOver())) {
      return;
    }
    note("trouble in a take-over");
    world.line("nemesis", "at step " + step + " of " + node);
    SimHost taker = hostOf(node);
    whileFaulty(
        random.chance(0.4) ? 0 : random.skewedNanos(SwarmSettings.MICRO, 500 * SwarmSettings.MILLI),
        switch (random.between(0, 8)) {
          case 0 -> () -> crashAndRestart(taker);
          case 1 ->
              () -> stop(taker, random.skewedNanos(SwarmSettings.MILLI, 8 * SwarmSettings.SECOND));
          case 2 -> () -> expire(taker);
          case 3 -> () -> cutLedger(taker);
          case 4 -> this::splitHint;
          case 5 -> coordination::flapHint;
          default -> this::rollLedger;
        });
  }

  private void rollLedger() {
    note("ledger rolls in a take-over");
    ledger.rollNow();
  }

  private SimHost anyHost() {
    return random.pick(hosts);
  }

  /** A process is stopped: its session may end, and everything waits for it. */
  private void stop(SimHost host, long nanos) {
    host.pause(nanos);
    coordination.stopped(host.id(), nanos);
  }

  private void expire(SimHost host) {
    note("session expires behind the back");
    coordination.expireLiving(
        host.id(), random.skewedNanos(SwarmSettings.MILLI, 5 * SwarmSettings.SECOND));
  }

  private void splitHint() {
    note("two are told to lead");
    coordination.splitHint(random.skewedNanos(10 * SwarmSettings.MILLI, 8 * SwarmSettings.SECOND));
  }

  private void cutLedger(SimHost host) {
    note("cut off from the ledger");
    ledger.cutOff(
        host.id(), random.skewedNanos(10 * SwarmSettings.MILLI, 5 * SwarmSettings.SECOND));
  }

  private void disturbClock() {
    SimHost host = anyHost();
    if (random.chance(0.5)) {
      note("clock jumps");
      host.jumpClock(random.skewedNanos(10 * SwarmSettings.MILLI, 60 * SwarmSettings.SECOND));
    } else {
      note("clock stands still");
      host.stallClock();
      world
          .scheduler()
          .after(
              random.skewedNanos(10 * SwarmSettings.MILLI, 5 * SwarmSettings.SECOND),
              host::startClock);
    }
  }

  private SimHost hostOf(NodeId id) {
    return hosts.stream().filter(host -> host.id().equals(id)).findFirst().orElseThrow();
  }

  private void crashAndRestart(SimHost host) {
    if (host.isUp()) {
      host.crash();
      restartLater(host);
    }
  }

  private void restartLater(SimHost host) {
    long soon =
        random.chance(0.3)
            ? random.between(1, 50) * SwarmSettings.MILLI
            : random.between(SwarmSettings.MILLI, strength.downNanosMax());
    OptionalLong late = host.isUp() ? OptionalLong.empty() : longOutages.next();
    late.ifPresent(length -> note("a long outage"));
    whileFaulty(late.orElse(soon), host::start);
  }

  private void crashAll() {
    note("crash of all");
    for (SimHost host : hosts) {
      if (random.chance(0.9)) {
        crashAndRestart(host);
      }
    }
  }

  private void partition() {
    if (hosts.size() < 2 && random.chance(0.5)) {
      return;
    }
    long length = random.between(10 * SwarmSettings.MILLI, strength.partitionLengthNanosMax());
    SimHost victim = random.chance(0.4) ? leader() : random.pick(hosts);
    int shape = random.between(0, 4);
    note(
        switch (shape) {
          case 0 -> "partition, one node cut off";
          case 1 -> "partition, one direction";
          case 2 -> "partition, one link";
          case 3 -> "partition, clients from a node";
          default -> "partition, a node from the services";
        });
    if (shape == 4) {
      coordination.cutOff(victim.id(), length);
      ledger.cutOff(victim.id(), length);
      network.favour(victim.id(), length + SwarmSettings.SECOND / 2);
    }
    SimNetwork.Partition apart = network.partition();
    boolean inward = random.chance(0.5);
    SimHost peer = random.pick(hosts);
    for (SimHost other : hosts) {
      boolean spared = shape == 3 || (shape == 2 && other != peer) || (shape == 4 && inward);
      if (other == victim || spared) {
        continue;
      }
      if (shape != 1 || inward) {
        apart.cut(other.id().value(), victim.id().value());
      }
      if (shape != 1 || !inward) {
        apart.cut(victim.id().value(), other.id().value());
      }
    }
    if (shape == 3) {
      for (int client = 0; client < settings.clients(); client++) {
        if (random.chance(0.7)) {
          cutClient(apart, client, victim);
        }
      }
    }
    if (random.chance(0.5)) {
      note("cut off from coordination");
      coordination.cutOff(victim.id(), length);
    }
    if (random.chance(0.4)) {
      note("cut off from the ledger");
      ledger.cutOff(victim.id(), length);
    }
    world.scheduler().after(length, apart::mend);
  }

  /** The node that leads at present; any if none does. */
  private SimHost leader() {
    SimHost any = random.pick(hosts);
    return hosts.stream()
        .filter(host -> coordination.leader().equals(Optional.of(host.id())))
        .findFirst()
        .orElse(any);
  }

  private void cutClient(SimNetwork.Partition apart, int client, SimHost victim) {
    long end = SimNetwork.CLIENTS + client;
    if (random.chance(0.6)) {
      apart.cut(end, victim.id().value());
    }
    if (random.chance(0.6)) {
      apart.cut(victim.id().value(), end);
    }
  }

  private void pause() {
    note("pause");
    SimHost host = random.chance(0.3) ? leader() : anyHost();
    stop(host, random.between(10 * SwarmSettings.MILLI, strength.pauseLengthNanosMax()));
  }

  private void breakConnections() {
    note("connections break");
    network.breakConnections(random.chance(0.3) ? 1 : 0.4);
  }

  private void flapHint() {
    note("hint flaps");
    coordination.flapHint();
  }

  private void failDisk() {
    MemoryStore disk = cluster.disk(random.pick(hosts));
    long length = random.between(1, 1_000) * SwarmSettings.MILLI;
    if (random.chance(0.5)) {
      note("disk fails");
      disk.broken(true);
    } else {
      note("disk full");
      disk.full(true);
    }
    world.scheduler().after(length, () -> heal(disk));
  }

  private void fillLedger() {
    note("ledger full");
    ledger.full(true);
    world
        .scheduler()
        .after(random.between(10, 3_000) * SwarmSettings.MILLI, () -> ledger.full(false));
  }

  /**
   * A node is told to leave, under all other misfortunes. Once it says that it may be stopped it
   * is, and its disk may be thrown away; later the machine is back.
   */
  private void leave() {
    SimHost host = random.chance(0.3) ? leader() : random.pick(hosts);
    if (host.machine() instanceof Node node) {
      note("told to leave");
      node.depart();
      awaitDeparture(host, node, world.nowNanos() + random.between(2, 40) * SwarmSettings.SECOND);
    }
  }

  private void awaitDeparture(SimHost host, Node node, long untilNanos) {
    whileFaulty(
        random.between(1, 500) * SwarmSettings.MILLI,
        () -> {
          if (host.machine() != node) {
            return;
          }
          if (node.departure().stage() == Departure.Stage.DEPARTED) {
            note("left");
            host.crash();
            coordination.expire(host.id());
            if (random.chance(0.5)) {
              cluster.replaceDisk(host);
            }
            whileFaulty(random.between(1, 20_000) * SwarmSettings.MILLI, host::start);
          } else if (world.nowNanos() > untilNanos) {
            note("stays after all");
            node.stay();
          } else {
            awaitDeparture(host, node, untilNanos);
          }
        });
  }
}
