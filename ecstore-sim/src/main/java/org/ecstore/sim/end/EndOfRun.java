package org.ecstore.sim.end;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.check.OrderChecker;
import org.ecstore.sim.check.PositionChecker;
import org.ecstore.sim.check.QuorumChecker;
import org.ecstore.sim.client.QuorumDriver;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/**
 * What is asked of a cluster when all faults are healed and its clients have ended: that everything
 * can be read and agrees with the histories, and in some runs what operators do then, and what
 * machines may suffer one last time. Each question draws from a stream of its own.
 */
public final class EndOfRun {
  private static final long LIVENESS_NANOS = LastClients.LIVENESS_NANOS;
  private static final long QUIET_STEP_NANOS = ClusterWatch.QUIET_STEP_NANOS;

  private final World world;
  private final SwarmSettings settings;
  private final NodeSettings nodeSettings;
  private final SimCluster cluster;
  private final List<SimHost> hosts;
  private final KindsOfNodes kinds;
  private final LedgerModel model;
  private final Histories histories;
  private final ClusterWatch watch;
  private final LastClients clients;
  private final int copies;

  /** Whether anything has been asked since all was compared. */
  private boolean goesOn;

  /** What all clients of a run have seen. */
  public record Histories(SimHistory transactions, QuorumHistory quorums) {}

  public EndOfRun(
      World world,
      SwarmSettings settings,
      NodeSettings nodeSettings,
      SimCluster cluster,
      KindsOfNodes kinds,
      LedgerModel model,
      Histories histories,
      ClusterWatch watch) {
    this.world = world;
    this.settings = settings;
    this.nodeSettings = nodeSettings;
    this.cluster = cluster;
    this.hosts = cluster.hosts();
    this.kinds = kinds;
    this.model = model;
    this.histories = histories;
    this.watch = watch;
    this.clients = new LastClients(world, settings, cluster, histories.transactions());
    this.copies = nodeSettings.steward().copies();
  }

  /**
   * Asks everything, in this order; false once something is violated.
   *
   * @param quorumDrivers clients of quorums that have ended
   */
  public boolean isSound(List<QuorumDriver> quorumDrivers) {
    return oneIsLost()
        && everythingAgrees(quorumDrivers)
        && roomIsWhole()
        && operatorWorks()
        && frozenLeaderIsReplaced()
        && oneLeaves()
        && leaseHolds()
        && oneLosesItsDisk()
        && everythingStillAgrees(quorumDrivers)
        && shortLedgerIsRefused();
  }

  private void begins(String what) {
    world.happened(what);
    goesOn = true;
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
    if (!watch.isAtRest()) {
      return false;
    }
    SimHost lost = random.pick(hosts);
    if (!watch.maySpare(lost)) {
      return true;
    }
    world.happened("a machine is gone for good");
    lost.crash();
    world.runFor(QUIET_STEP_NANOS);
    return watch.isAtRest() && oneCommits();
  }

  /** What happened in the end has to agree with all else that happened, too. */
  private boolean everythingStillAgrees(List<QuorumDriver> quorumDrivers) {
    return !goesOn || everythingAgrees(quorumDrivers);
  }

  private boolean everythingAgrees(List<QuorumDriver> quorumDrivers) {
    goesOn = false;
    Optional<Map<Bytes, Optional<Row>>> finals = clients.readEverything();
    if (finals.isEmpty()) {
      return false;
    }
    world.runFor(5 * SwarmSettings.SECOND);
    watch.check();
    if (!watch.isAtRest()
        || !clients.quorumsRead(quorumDrivers, model)
        || !clients.commitInEach(model.map().ranges())
        || !clients.operatorAsks()) {
      return false;
    }
    model.catchUp(cluster.ledger().durable());
    if (cluster.network().unanswered() > 0) {
      world.violated(Promises.REPLIED, cluster.network().unanswered() + " requests have none");
    }
    watch.report(QuorumChecker.check(histories.quorums(), model, world::happened));
    watch.report(PositionChecker.check(histories.transactions(), model, slowestClock()));
    Sequencer.Bounds bounds = nodeSettings.sequencer();
    watch.report(model.forgottenTooSoon(bounds.outcomesKept(), bounds.outcomesMax()));
    watch.report(OrderChecker.check(histories.transactions(), finals.get()));
    return world.violations().isEmpty();
  }

  /** Clocks differ by some percent; the nemesis may stop them too. */
  private OptionalDouble slowestClock() {
    return settings.nemesis().clockNanos() > 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(1 / SimHost.CLOCK_RATE_MIN);
  }

  /** Reads may go on where commits do not. */
  private boolean oneCommits() {
    return clients.commits(
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
    begins("a commit takes nearly all room of a node");
    return clients.commits(
        workload -> workload.writeLarge(SimKeys.register(0), (int) (room * 0.9)),
        Promises.ROOM_IS_WHOLE,
        "no commit of nine tenths of " + room + " bytes");
  }

  /** In some runs an operator changes the cluster at rest, as its commands say (rules 17, 19). */
  private boolean operatorWorks() {
    SimRandom random = world.random("operator works");
    if (kinds.areMixed() || !watch.areAllThere() || !random.chance(0.5)) {
      return true;
    }
    goesOn = true;
    new OperatorInTheEnd(world, cluster, nodeSettings, model).works();
    return watch.isAtRest();
  }

  /** In some runs the leader is frozen while its session lives (rule 6). */
  private boolean frozenLeaderIsReplaced() {
    FrozenLeader leader = new FrozenLeader(world, cluster, nodeSettings);
    if (!watch.areAllThere() || !leader.isAsked()) {
      return true;
    }
    goesOn = true;
    leader.isReplaced(clients);
    return watch.isAtRest() && oneCommits();
  }

  /** In some runs a node starts at last with more than the ledger has (rule 6). */
  private boolean shortLedgerIsRefused() {
    ShortLedger shortLedger = new ShortLedger(world, cluster);
    if (shortLedger.isAsked()) {
      shortLedger.isRefused();
    }
    return world.violations().isEmpty();
  }

  /** In some runs a node is told to leave; others are there to stay, so it can (rule 20). */
  private boolean oneLeaves() {
    SimRandom random = world.random("leaver");
    List<SimHost> up = hosts.stream().filter(SimHost::isUp).toList();
    if (up.size() < 2 || up.size() < hosts.size() || !random.chance(0.25)) {
      return true;
    }
    SimHost leaver = random.pick(up);
    if (!(leaver.machine() instanceof Node node) || !watch.maySpare(leaver)) {
      return true;
    }
    begins("one leaves in the end");
    node.depart();
    Departure.Progress[] said = {node.departure()};
    world.runUntil(
        world.nowNanos() + ClusterWatch.REPLACED_NANOS,
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

  /** In some runs a snapshot is leased at last, and has to be readable for long (rule 14). */
  private boolean leaseHolds() {
    LeasedSnapshot snapshot = new LeasedSnapshot(world, cluster, nodeSettings, model);
    if (!watch.areAllThere() || !snapshot.isAsked()) {
      return true;
    }
    goesOn = true;
    return snapshot.stays();
  }

  /**
   * In some runs a machine comes back on an empty disk in the end, soon or after others have taken
   * its place: what it had is made anew from the other copies (rule 19).
   */
  private boolean oneLosesItsDisk() {
    SimRandom random = world.random("empty disk");
    if (copies < 2 || hosts.size() < 2 || !watch.areAllThere() || !random.chance(0.3)) {
      return true;
    }
    if (!watch.isAtRest()) {
      return false;
    }
    SimHost host = random.pick(hosts);
    if (!watch.maySpare(host)) {
      return true;
    }
    begins("a machine comes back on an empty disk");
    host.crash();
    cluster.replaceDisk(host);
    watch.replaced(host.id());
    world.runFor(random.skewedNanos(QUIET_STEP_NANOS, LIVENESS_NANOS));
    host.start();
    world.runFor(QUIET_STEP_NANOS);
    boolean isAtRest = watch.isAtRest();
    watch.check();
    return isAtRest && world.violations().isEmpty() && oneCommits();
  }
}
