package org.ecstore.sim.end;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.client.LeaseHolder;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.client.SnapshotVisitor;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimEngine;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;

/**
 * A snapshot that is leased at the end of a run stays readable for longer than versions are kept by
 * themselves, while the ledger goes on; also when another node becomes sequencer, which for as long
 * hears nothing from the one that has the lease (rule 14). Others lease the same snapshot meanwhile
 * and end their leases.
 *
 * <p>Only the way from that node to the others is cut, so that none takes another for gone: one
 * that is no member for a moment has no say in that moment.
 */
final class LeasedSnapshot {
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long TIMEOUT_NANOS = 30 * SECOND;
  private static final long LEASE_NANOS_MIN = SECOND / 2;
  private static final long RETENTION_NANOS_MAX = 30 * SECOND;
  private static final int REGISTERS = 8;
  private static final int FIRST_CLIENT = 5000;

  /** What is answered of a snapshot that may be refused is looked at. */
  private static final String MAY_END = "a leased snapshot that may have ended is read";

  private final World world;
  private final SimCluster cluster;
  private final NodeSettings settings;
  private final LedgerModel model;
  private final SimRandom random;

  LeasedSnapshot(World world, SimCluster cluster, NodeSettings settings, LedgerModel model) {
    this.world = world;
    this.cluster = cluster;
    this.settings = settings;
    this.model = model;
    this.random = world.random("leased snapshot");
  }

  /** How long a lease takes, at most, from where it is granted to the sequencer. */
  private long toldNanos() {
    return settings.persistNanos() / 4 * 5 + SECOND;
  }

  /**
   * Whether it is asked about in this run: where versions are kept for longer than a lease is on
   * its way, and so short that it ends.
   */
  boolean isAsked() {
    long retention = settings.sequencer().retentionNanos();
    return retention > toldNanos()
        && retention <= RETENTION_NANOS_MAX
        && settings.leaseNanos() >= LEASE_NANOS_MIN;
  }

  /** Leases a snapshot, lets it grow old, and reads at it. */
  boolean stays() {
    List<NodeId> up = cluster.hosts().stream().filter(SimHost::isUp).map(SimHost::id).toList();
    NodeId node = random.pick(up);
    LeaseHolder holder = new LeaseHolder(world, client(0, up), client(1, up), node);
    long suspicions = cluster.coordination().suspicions();
    int endedForRoom = endedForRoom();
    MapVersion before = model.map().version();
    holder.begin();
    if (!world.runUntil(world.nowNanos() + TIMEOUT_NANOS, holder::isHeld) || !ledgerGrows(up)) {
      return false;
    }
    SnapshotVisitor visitor = new SnapshotVisitor(world, client(3, up), node, holder.point());
    visitor.visit();
    pass(toldNanos());
    boolean isCut = up.size() > 1 && random.chance(0.7) && anotherLeads(node, up);
    pass(settings.sequencer().retentionNanos() + 3 * settings.housekeepNanos() + SECOND);
    cluster.network().heal();
    visitor.stop();
    // A copy that was made anew meanwhile begins where it was made; a full window ends snapshots.
    boolean mayEnd =
        cluster.coordination().suspicions() != suspicions
            || endedForRoom() != endedForRoom
            || isAnyMadeAnew(model.mapsSince(before));
    return isReadable(holder, isCut, mayEnd);
  }

  private int endedForRoom() {
    return world.happened().getOrDefault(SimEngine.NO_ROOM, 0);
  }

  /** Whether some keys have come to have a copy on a node that had none of them. */
  private static boolean isAnyMadeAnew(List<RangeMap> maps) {
    return IntStream.range(1, maps.size())
        .anyMatch(at -> isAnyMadeAnew(maps.get(at - 1), maps.get(at)));
  }

  private static boolean isAnyMadeAnew(RangeMap before, RangeMap after) {
    return after.ranges().stream()
        .anyMatch(
            range ->
                !before.overlapping(range.keys()).stream()
                    .allMatch(was -> holders(was).containsAll(holders(range))));
  }

  private static Set<NodeId> holders(RangeDescriptor range) {
    Set<NodeId> all = new TreeSet<>(range.secondaries());
    all.add(range.primary());
    return all;
  }

  private SimClient client(int number, List<NodeId> nodes) {
    return new SimClient(
        world,
        cluster.network(),
        FIRST_CLIENT + number,
        nodes,
        random.fork("client" + number),
        NodeMutation.ClientBehaviour.RIGHT);
  }

  private void pass(long nanos) {
    world.runFor(nanos);
  }

  /** By more than the floor goes on at a time: each strong snapshot takes a record. */
  private boolean ledgerGrows(List<NodeId> up) {
    long end = cluster.ledger().end() + settings.sequencer().floorStep() + 1;
    begin(client(2, up), up, end);
    return world.runUntil(
        world.nowNanos() + 2 * TIMEOUT_NANOS, () -> cluster.ledger().end() >= end);
  }

  private void begin(SimClient client, List<NodeId> up, long end) {
    client.call(
        random.pick(up),
        new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO),
        2 * SECOND,
        reply -> {
          boolean refused = reply.isEmpty() || !(reply.get() instanceof ClientReply.Begun);
          if (cluster.ledger().end() < end) {
            world.scheduler().after(refused ? SECOND / 20 : 1, () -> begin(client, up, end));
          }
        });
  }

  /** Another node is sequencer from now on, and hears nothing from the one with the lease. */
  private boolean anotherLeads(NodeId node, List<NodeId> up) {
    for (NodeId other : up) {
      if (!other.equals(node)) {
        cluster.network().cut(node.value(), other.value());
      }
    }
    Optional<NodeId> before = cluster.coordination().leader();
    for (int i = 0; i < 10 && isSame(before, node); i++) {
      cluster.coordination().flapHint();
    }
    return true;
  }

  private boolean isSame(Optional<NodeId> before, NodeId node) {
    Optional<NodeId> now = cluster.coordination().leader();
    return now.equals(before) || now.equals(Optional.of(node));
  }

  /**
   * Reads at the snapshot: what is answered is right, also where it may have ended.
   *
   * @param mayEnd whether it may be refused
   */
  private boolean isReadable(LeaseHolder holder, boolean isCut, boolean mayEnd) {
    List<Bytes> keys = IntStream.range(0, REGISTERS).mapToObj(SimKeys::register).toList();
    keys.forEach(holder::read);
    boolean answered =
        world.runUntil(
            world.nowNanos() + TIMEOUT_NANOS,
            () -> holder.answered() == keys.size() || (!mayEnd && holder.refusal().isPresent()));
    if (mayEnd) {
      world.happened(MAY_END);
    } else if (!answered) {
      return false;
    } else {
      world.happened("a leased snapshot is read late");
      if (isCut) {
        world.happened("another leads, and is not told of a lease");
      }
      String how = isCut ? ", while another node became sequencer" : "";
      holder.refusal().ifPresent(why -> world.violated(Promises.LEASES_HOLD, why + how));
    }
    model.catchUp(cluster.ledger().durable());
    holder.rows().forEach((key, row) -> check(holder, key, row));
    return world.violations().isEmpty();
  }

  private void check(LeaseHolder holder, Bytes key, Optional<Row> row) {
    Optional<Row> expected = model.read(key, holder.point().position().value());
    if (!row.equals(expected)) {
      world.violated(
          Promises.LEASES_HOLD,
          "%s at %s was %s, not %s".formatted(key, holder.point(), row, expected));
    }
  }
}
