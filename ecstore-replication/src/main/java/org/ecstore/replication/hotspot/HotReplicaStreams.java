package org.ecstore.replication.hotspot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.KeptWrites;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaAck;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaDrop;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaGone;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaOffer;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaUpdate;
import org.ecstore.replication.hotspot.HotReplicaMessage.LoadNews;

/**
 * The hot-spot replicas of a node's copies, primary or secondary, on other nodes: created, fed and
 * dropped here (ecStore §4.2, rules 11, 25). A hot-spot replica is offered its keys, fetches them
 * at a stamp, and is then fed every write above the stamp, one update on its way at a time.
 *
 * <p>Why nothing is lost between fetch and feed: a hot-spot replica is offered only when the copy
 * is closed through all that was readable in it when the keeping of writes for that hot-spot
 * replica began. Its stamp is a closed position read later; each write above it has been kept.
 */
public class HotReplicaStreams implements CopyFollower.Listener {
  private static final long UPDATE_BYTES_MAX = 1 << 20;

  private static final class Fed {
    final long number;
    final NodeId to;
    final Copy copy;
    final KeyRange keys;
    final KeptWrites kept;
    boolean offered;
    Optional<Position> acked = Optional.empty();
    boolean underWay;
    long againNanos;
    long heardNanos;

    Fed(long number, NodeId to, Copy copy, KeyRange keys, Position from, long nanos) {
      this.number = number;
      this.to = to;
      this.copy = copy;
      this.keys = keys;
      this.kept = new KeptWrites(from);
      this.heardNanos = nanos;
    }
  }

  /** Told what becomes of hot-spot replicas. */
  public interface Listener {
    /** A hot-spot replica is filled and goes on, and serves so many reads per second. */
    void serves(Copy copy, KeyRange keys, NodeId node, double reads);

    /** A hot-spot replica is no more. */
    void lost(Copy copy, KeyRange keys, NodeId node);
  }

  /**
   * A hot-spot replica that is fed from here, for people and for what decides about hot-spot
   * replicas.
   */
  public record View(
      long number, NodeId node, RangeId range, Epoch epoch, KeyRange keys, boolean filled) {}

  private static final Listener NONE =
      new Listener() {
        @Override
        public void serves(Copy copy, KeyRange keys, NodeId node, double reads) {}

        @Override
        public void lost(Copy copy, KeyRange keys, NodeId node) {}
      };

  private final NodeContext context;
  private final CopyTable copies;
  private final HotReplicaSettings settings;
  private final long againNanos;
  private final Map<Long, Fed> hotReplicas = new TreeMap<>();

  /** Those that have something to be sent, or soon will. */
  private final Map<Long, Fed> busy = new TreeMap<>();

  /** The greatest number readable in a copy. */
  private final Map<RangeId, Position> readable = new TreeMap<>();

  private long created;
  private boolean pumping;
  private Listener listener = NONE;

  /**
   * The hot-spot replicas of a node's copies.
   *
   * @param againNanos after which what was not acknowledged is sent again
   */
  public HotReplicaStreams(
      NodeContext context, CopyTable copies, HotReplicaSettings settings, long againNanos) {
    this.context = context;
    this.copies = copies;
    this.settings = settings;
    this.againNanos = againNanos;
  }

  /** Sets who is told. */
  public void listen(Listener told) {
    listener = told;
  }

  /** A node is to hold these keys of a copy that serves or follows. */
  public void create(Copy copy, KeyRange keys, NodeId node) {
    if (!hasAllPassBy(copy)) {
      listener.lost(copy, keys, node);
      return;
    }
    long number = (context.incarnation() << 32) + ++created;
    Position from = readable.getOrDefault(copy.id(), copies.closed(copy));
    hotReplicas.put(number, new Fed(number, node, copy, keys, from, context.nanos()));
    offerIfClosed(hotReplicas.get(number));
  }

  /** Whether what comes to be readable in a copy comes by here. */
  @RuleSeam(25)
  protected boolean hasAllPassBy(Copy copy) {
    return !copies.isCatchingUp(copy);
  }

  /** A hot-spot replica has no use any more. */
  public void drop(long number) {
    Fed gone = hotReplicas.remove(number);
    if (gone != null) {
      context.send(gone.to, new HotReplicaDrop(number));
      listener.lost(gone.copy, gone.keys, gone.to);
    }
  }

  /** The hot-spot replicas of some keys of a copy on a node have no use any more. */
  public void drop(Copy copy, KeyRange keys, NodeId node) {
    dropAll(fed -> fed.copy.equals(copy) && fed.keys.equals(keys) && fed.to.equals(node));
  }

  private void dropAll(Predicate<Fed> gone) {
    for (Fed fed : List.copyOf(hotReplicas.values())) {
      if (gone.test(fed)) {
        drop(fed.number);
      }
    }
  }

  /** A copy answers nothing from now on. */
  public void retired(Copy copy) {
    readable.remove(copy.id());
    dropAll(fed -> fed.copy.equals(copy));
  }

  /**
   * A secondary that takes writes from the ledger, which do not come by here, has no hot-spot
   * replicas.
   */
  public void interrupted(Copy copy) {
    retired(copy);
  }

  /** A message from the node of a hot-spot replica. */
  public void take(NodeId from, HotReplicaMessage message) {
    switch (message) {
      case HotReplicaAck ack -> acknowledged(from, ack);
      case HotReplicaGone(var number, var reason) -> {
        Fed fed = hotReplicas.get(number);
        if (fed != null && fed.to.equals(from)) {
          hotReplicas.remove(number);
          listener.lost(fed.copy, fed.keys, from);
          context
              .ports()
              .log()
              .info("hot-spot replica of " + fed.keys + " on " + from + " ends: " + reason);
        }
      }
      case HotReplicaOffer _, HotReplicaUpdate _, HotReplicaDrop _, LoadNews _ ->
          throw new IllegalArgumentException("not for a copy");
    }
  }

  private void acknowledged(NodeId from, HotReplicaAck ack) {
    Fed fed = hotReplicas.get(ack.hotReplica());
    if (fed == null || !fed.to.equals(from)) {
      context.send(from, new HotReplicaDrop(ack.hotReplica()));
      return;
    }
    fed.heardNanos = context.nanos();
    fed.underWay = false;
    fed.acked = Optional.of(ack.closed());
    fed.kept.forgetThrough(ack.closed());
    if (isMissing(fed.kept.from(), ack.closed())) {
      drop(fed.number);
    } else {
      listener.serves(fed.copy, fed.keys, from, ack.reads() / 1000.0);
      pumpSoon(fed);
    }
  }

  /** Whether the hot-spot replica lacks writes that are not kept any more. */
  @RuleSeam(25)
  protected boolean isMissing(Position from, Position closed) {
    return from.isAfter(closed);
  }

  /**
   * Writes of a commit are readable in a copy. Called before the copy is closed at or above their
   * number.
   */
  public void applied(Copy copy, Position number, List<VersionedWrite> writes) {
    readable.merge(copy.id(), number, Position::max);
    for (Fed fed : List.copyOf(hotReplicas.values())) {
      if (fed.copy.equals(copy)) {
        List<VersionedWrite> own =
            writes.stream().filter(write -> fed.keys.contains(write.key())).toList();
        if (!own.isEmpty() && fed.kept.add(number, own)) {
          if (fed.kept.bytes() > settings.keptBytesMax()) {
            drop(fed.number);
          } else {
            pumpSoon(fed);
          }
        }
      }
    }
  }

  /** As {@link #applied}, for what a secondary has been sent. */
  @Override
  public void followed(Copy copy, List<VersionedWrite> writes) {
    TreeMap<Position, List<VersionedWrite>> commits = new TreeMap<>();
    for (VersionedWrite write : writes) {
      commits.computeIfAbsent(write.version(), number -> new ArrayList<>()).add(write);
    }
    commits.forEach((number, own) -> applied(copy, number, own));
  }

  private void pumpSoon(Fed fed) {
    busy.put(fed.number, fed);
    if (!pumping) {
      pumping = true;
      context.atFlush(
          () -> {
            pumping = false;
            busy.values().removeIf(one -> one.kept.isEmpty() || !isFed(one));
            busy.values().forEach(one -> pump(one, false));
          });
    }
  }

  private boolean isFed(Fed fed) {
    return fed.equals(hotReplicas.get(fed.number));
  }

  /** Offers, heartbeats, what was lost once more; hot-spot replicas that are silent end. */
  public void tick() {
    long now = context.nanos();
    dropAll(fed -> now - fed.heardNanos > settings.silenceNanos() || !copies.isCurrent(fed.copy));
    for (Fed fed : hotReplicas.values()) {
      if (fed.offered) {
        pump(fed, true);
      } else {
        offerIfClosed(fed);
      }
    }
  }

  private void offerIfClosed(Fed fed) {
    if (mayOffer(copies.closed(fed.copy), fed.kept.from())) {
      fed.offered = true;
      context.send(
          fed.to, new HotReplicaOffer(fed.number, fed.copy.id(), fed.copy.epoch(), fed.keys));
    }
  }

  /** Whether a stamp taken from now on is above all that was readable before writes were kept. */
  @RuleSeam(25)
  protected boolean mayOffer(Position closed, Position from) {
    return from.isAtOrBelow(closed);
  }

  private void pump(Fed fed, boolean idle) {
    boolean free = !fed.underWay || fed.againNanos - context.nanos() <= 0;
    if (fed.acked.isEmpty() || !free) {
      return;
    }
    Position previous = fed.acked.get();
    Position closed = copies.closed(fed.copy);
    if (!closed.isAfter(previous) && !idle) {
      return;
    }
    KeptWrites.Part part =
        fed.kept.between(previous, Position.max(closed, previous), UPDATE_BYTES_MAX);
    if (idle || !part.writes().isEmpty()) {
      fed.underWay = true;
      fed.againNanos = context.nanos() + againNanos;
      context.send(
          fed.to, new HotReplicaUpdate(fed.number, previous, part.through(), part.writes()));
    }
  }

  /**
   * A hot-spot replica of the copy on a node that can answer a read, as far as it is known here.
   */
  public Optional<View> answering(Copy copy, NodeId node, KeyRange span, Position at) {
    return hotReplicas.values().stream()
        .filter(fed -> fed.copy.equals(copy) && fed.to.equals(node) && fed.keys.contains(span))
        .filter(fed -> fed.acked.filter(at::isAtOrBelow).isPresent())
        .findFirst()
        .map(HotReplicaStreams::view);
  }

  /** What is fed from here. */
  public List<View> views() {
    return hotReplicas.values().stream().map(HotReplicaStreams::view).toList();
  }

  private static View view(Fed fed) {
    return new View(
        fed.number, fed.to, fed.copy.id(), fed.copy.epoch(), fed.keys, fed.acked.isPresent());
  }
}
