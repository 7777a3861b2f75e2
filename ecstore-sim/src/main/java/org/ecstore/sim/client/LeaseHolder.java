package org.ecstore.sim.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.world.World;

/**
 * A client that leases a snapshot at one node, renews the lease for as long as it is told to, and
 * reads at the snapshot then. What it asks is asked again until it is answered.
 */
public final class LeaseHolder {
  private static final long CALL_TIMEOUT_NANOS = 2_000_000_000L;
  private static final long PAUSE_NANOS = 50_000_000L;

  /** What part of a lease passes before it is renewed, in nanoseconds of a millisecond. */
  private static final long RENEWED_AFTER = 300_000L;

  private final World world;
  private final SimClient leases;
  private final SimClient reads;
  private final NodeId node;
  private final Map<Bytes, Optional<Row>> rows = new TreeMap<>();

  /** Keys that can be read at the snapshot no more. */
  private final Set<Bytes> tooOld = new TreeSet<>();

  private ReadPoint point = ReadPoint.ZERO;
  private Optional<String> refusal = Optional.empty();
  private boolean held;

  /**
   * A client of a node.
   *
   * @param leases the connection on which the snapshot is leased
   * @param reads a client of its own, whose connections may break meanwhile
   */
  public LeaseHolder(World world, SimClient leases, SimClient reads, NodeId node) {
    this.world = world;
    this.leases = leases;
    this.reads = reads;
    this.node = node;
  }

  /** Begins a snapshot and leases it. */
  public void begin() {
    leases.call(
        node,
        new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO),
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun begun) {
            point = begun.point();
            keep(new ClientRequest.BeginAt(point.position()));
          } else {
            later(this::begin);
          }
        });
  }

  private void keep(ClientRequest request) {
    leases.call(
        node,
        request,
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun begun) {
            held = true;
            world
                .scheduler()
                .after(
                    begun.leaseMillis() * RENEWED_AFTER,
                    () -> keep(new ClientRequest.RenewSnapshot(begun.lease())));
          } else if (reply.isPresent() && reply.get() instanceof ClientReply.Refused refused) {
            refusal = Optional.of("the lease was to be renewed: " + refused);
          }
        });
  }

  private void later(Runnable task) {
    world.scheduler().after(PAUSE_NANOS, task);
  }

  /** Whether the snapshot is leased, or was once. */
  public boolean isHeld() {
    return held;
  }

  /** Where the snapshot is. */
  public ReadPoint point() {
    return point;
  }

  /** That a renewal or a read was refused for good; empty if none was. */
  public Optional<String> refusal() {
    return refusal;
  }

  /** What was read at the snapshot by now, by key. */
  public Map<Bytes, Optional<Row>> rows() {
    return rows;
  }

  /** How many keys were read at the snapshot, or refused for good. */
  public int answered() {
    return rows.size() + tooOld.size();
  }

  /** Reads a key at the snapshot. */
  public void read(Bytes key) {
    reads.locate(
        key,
        route -> {
          if (route.isEmpty()) {
            later(() -> read(key));
            return;
          }
          reads.call(
              route.get().primary(),
              new ClientRequest.Get(
                  point, route.get().range(), route.get().epoch(), List.of(key), false),
              CALL_TIMEOUT_NANOS,
              answered(key, () -> reads.forget(route.get())));
        });
  }

  private Consumer<Optional<ClientReply>> answered(Bytes key, Runnable forget) {
    return reply -> {
      if (reply.isPresent() && reply.get() instanceof ClientReply.Values values) {
        rows.put(key, values.rows().getFirst());
      } else if (reply.isPresent()
          && reply.get() instanceof ClientReply.Refused refused
          && refused.code() == RefusalCode.SNAPSHOT_TOO_OLD) {
        tooOld.add(key);
        refusal = Optional.of(key + " was to be read at " + point + ": " + refused);
      } else {
        forget.run();
        later(() -> read(key));
      }
    };
  }
}
