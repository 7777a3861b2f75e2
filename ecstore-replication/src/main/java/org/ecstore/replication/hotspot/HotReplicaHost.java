package org.ecstore.replication.hotspot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Row;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaAck;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaDrop;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaGone;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaOffer;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaUpdate;
import org.ecstore.replication.hotspot.HotReplicaMessage.LoadNews;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyDone;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.view.LedgerView;

/**
 * The hot-spot replicas that a node holds for copies of others (ecStore §4.2, rules 10, 11, 25).
 * They are in memory, within a bound, and nothing rests on them: what is amiss with one ends it,
 * and its parent is told. A hot-spot replica answers reads of its keys from its base through its
 * closed position, and reads only.
 */
public class HotReplicaHost {
  /** What is forgotten in a step, and looked at: some milliseconds of the event loop at most. */
  private static final int PRUNED_AT_ONCE = 1_000;

  private static final int LOOKED_AT_ONCE = 10_000;

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final HotReplicaSettings settings;
  private final long fetchTimeoutNanos;
  private final TreeMap<HotReplica.Id, HotReplica> hotReplicas = new TreeMap<>();
  private HotReplica.Id lastPruned = new HotReplica.Id(new NodeId(0), 0);
  private long bytes;

  /** A hot-spot replica, for people and checkers. */
  public record View(
      NodeId parent,
      RangeId range,
      Epoch epoch,
      KeyRange keys,
      boolean filled,
      Position base,
      Position closed,
      long bytes,
      List<VersionedWrite> versions) {}

  public HotReplicaHost(
      NodeContext context,
      LedgerView ledgerView,
      HotReplicaSettings settings,
      long fetchTimeoutNanos) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.settings = settings;
    this.fetchTimeoutNanos = fetchTimeoutNanos;
  }

  /** A message from a copy that feeds a hot-spot replica here, or wants to. */
  public void take(NodeId parent, HotReplicaMessage message) {
    switch (message) {
      case HotReplicaOffer offer -> offered(parent, offer);
      case HotReplicaUpdate update -> update(parent, update);
      case HotReplicaDrop(var number) -> remove(new HotReplica.Id(parent, number));
      case HotReplicaAck _, HotReplicaGone _, LoadNews _ ->
          throw new IllegalArgumentException("not for a hot-spot replica");
    }
  }

  private void offered(NodeId parent, HotReplicaOffer offer) {
    HotReplica.Id id = new HotReplica.Id(parent, offer.hotReplica());
    if (hotReplicas.containsKey(id)) {
      return;
    }
    if (hotReplicas.size() >= settings.heldMax() || bytes >= settings.heldBytesMax()) {
      context.send(
          parent, new HotReplicaGone(offer.hotReplica(), "this node holds as much as it may"));
      return;
    }
    HotReplica hotReplica =
        new HotReplica(
            id,
            offer.range(),
            offer.epoch(),
            offer.keys(),
            settings.halfLifeNanos(),
            context.nanos());
    hotReplicas.put(id, hotReplica);
    long transfer = context.ports().random().nextLong(1, Long.MAX_VALUE);
    fetch(hotReplica, transfer, hotReplica.keys, Optional.empty());
  }

  private void fetch(
      HotReplica hotReplica, long transfer, KeyRange rest, Optional<Position> stamp) {
    context.ask(
        hotReplica.id.parent(),
        call -> new CopyFetch(call, transfer, hotReplica.range, hotReplica.epoch, rest, stamp),
        fetchTimeoutNanos,
        answer -> fetched(hotReplica, transfer, rest, stamp, answer));
  }

  private void fetched(
      HotReplica hotReplica,
      long transfer,
      KeyRange rest,
      Optional<Position> stamp,
      Optional<NodeMessage> answer) {
    if (!isHeld(hotReplica)) {
      context.send(hotReplica.id.parent(), new CopyDone(transfer));
      return;
    }
    // All of it as of one stamp: one that folds overtake (rule W7) is made anew, if still wanted.
    if (!(answer.orElse(null) instanceof CopyChunk chunk)
        || !chunk.rows().stream().allMatch(row -> rest.contains(row.key()))
        || !stamp.orElse(chunk.stamp()).equals(chunk.stamp())
        || (chunk.rows().isEmpty() && !chunk.complete())) {
      context.send(hotReplica.id.parent(), new CopyDone(transfer));
      end(hotReplica, "it could not be filled");
      return;
    }
    hotReplica.heard(context.nanos());
    for (Row row : chunk.rows()) {
      put(hotReplica, VersionedWrite.of(row));
    }
    Optional<Bytes> next =
        chunk.complete()
            ? Optional.empty()
            : Optional.of(chunk.rows().getLast().key().successor()).filter(rest::isBelowEnd);
    if (endedByBound(hotReplica)) {
      context.send(hotReplica.id.parent(), new CopyDone(transfer));
    } else if (next.isPresent()) {
      fetch(
          hotReplica,
          transfer,
          KeyRange.between(next.get(), hotReplica.keys.end()),
          Optional.of(chunk.stamp()));
    } else {
      hotReplica.fill(chunk.stamp());
      context.send(hotReplica.id.parent(), new CopyDone(transfer));
      ack(hotReplica);
    }
  }

  private boolean put(HotReplica hotReplica, VersionedWrite write) {
    long before = hotReplica.bytes();
    boolean isTaken = hotReplica.put(write);
    bytes += hotReplica.bytes() - before;
    return isTaken;
  }

  private boolean endedByBound(HotReplica hotReplica) {
    if (bytes <= settings.heldBytesMax()) {
      return false;
    }
    end(hotReplica, "it is larger than this node has room for");
    return true;
  }

  private void update(NodeId parent, HotReplicaUpdate update) {
    HotReplica hotReplica = hotReplicas.get(new HotReplica.Id(parent, update.hotReplica()));
    if (hotReplica == null) {
      context.send(
          parent,
          new HotReplicaGone(update.hotReplica(), "there is no such hot-spot replica here"));
      return;
    }
    hotReplica.heard(context.nanos());
    if (!hotReplica.filled()) {
      return;
    }
    if (isContiguous(hotReplica.closed(), update)) {
      for (VersionedWrite write : update.writes()) {
        if (write.version().isAfter(hotReplica.closed())) {
          if (!put(hotReplica, write)) {
            end(hotReplica, "a long list is appended to");
            return;
          } else if (endedByBound(hotReplica)) {
            return;
          }
        }
      }
      hotReplica.close(update.closed());
    }
    if (!endedByBound(hotReplica)) {
      ack(hotReplica);
    }
  }

  /** Rule 11: whether nothing is missing between what is here and what comes. */
  private static boolean isContiguous(Position closed, HotReplicaUpdate update) {
    return update.previous().isAtOrBelow(closed);
  }

  private void ack(HotReplica hotReplica) {
    long reads = Math.round(hotReplica.reads(context.nanos()) * 1000);
    context.send(
        hotReplica.id.parent(),
        new HotReplicaAck(hotReplica.id.number(), hotReplica.closed(), reads));
  }

  private boolean isHeld(HotReplica hotReplica) {
    return hotReplica.equals(hotReplicas.get(hotReplica.id));
  }

  private void end(HotReplica hotReplica, String reason) {
    remove(hotReplica.id);
    context.send(hotReplica.id.parent(), new HotReplicaGone(hotReplica.id.number(), reason));
  }

  private void remove(HotReplica.Id id) {
    HotReplica gone = hotReplicas.remove(id);
    if (gone != null) {
      bytes -= gone.bytes();
    }
  }

  private void endAll(Predicate<HotReplica> ended, String reason) {
    for (HotReplica hotReplica : List.copyOf(hotReplicas.values())) {
      if (ended.test(hotReplica)) {
        end(hotReplica, reason);
      }
    }
  }

  /** The map has changed: hot-spot replicas of ranges that are no more end. */
  public void reconcile() {
    endAll(
        hotReplica ->
            hotReplica.epoch.value() <= ledgerView.map().version().value()
                && ledgerView
                    .map()
                    .range(hotReplica.range)
                    .filter(range -> range.epoch().equals(hotReplica.epoch))
                    .isEmpty(),
        "its range has changed");
  }

  /**
   * Ends hot-spot replicas that no copy feeds any more, and forgets old versions. Called each tick.
   */
  public void tick() {
    long now = context.nanos();
    endAll(
        hotReplica -> now - hotReplica.heardNanos() > settings.silenceNanos(),
        "its parent has fallen silent");
    pruneSome();
  }

  /**
   * Below a recorded floor nothing is read any more (rule 14); versions go later, a bounded step at
   * a time.
   */
  public void floor(Position floor) {
    hotReplicas.values().forEach(hotReplica -> hotReplica.raiseBase(floor));
  }

  /**
   * One hot-spot replica after the other: the floor may move faster than a large one is gone
   * through.
   */
  private void pruneSome() {
    Stream.concat(
            hotReplicas.tailMap(lastPruned, false).values().stream(),
            hotReplicas.headMap(lastPruned, true).values().stream())
        .filter(HotReplica::isPrunable)
        .findFirst()
        .ifPresent(
            hotReplica -> {
              long before = hotReplica.bytes();
              hotReplica.pruneSome(PRUNED_AT_ONCE, LOOKED_AT_ONCE);
              bytes += hotReplica.bytes() - before;
              lastPruned = hotReplica.id;
            });
  }

  /** Reads keys of a hot-spot replica here; absent if there is none of them all. */
  public Optional<ReadOutcome> get(RangeId range, Epoch epoch, List<Bytes> keys, Position at) {
    return answer(
        range,
        epoch,
        at,
        hotReplica -> keys.stream().allMatch(hotReplica.keys::contains),
        hotReplica ->
            new ReadOutcome.Values(
                keys.stream().map(key -> hotReplica.read(key, at)).toList(), source(hotReplica)));
  }

  /** Reads an interval of a hot-spot replica here; absent if there is none of it all. */
  public Optional<ReadOutcome> scan(RangeId range, Epoch epoch, ScanSpec spec) {
    return answer(
        range,
        epoch,
        spec.at(),
        hotReplica -> hotReplica.keys.contains(spec.interval()),
        hotReplica -> {
          EngineResult.Rows found = hotReplica.scan(spec);
          return new ReadOutcome.Rows(found.rows(), found.complete(), source(hotReplica));
        });
  }

  /** How far the hot-spot replicas of a range here are closed: the one that is closed furthest. */
  public Optional<Position> closed(RangeId range, Epoch epoch) {
    return hotReplicas.values().stream()
        .filter(
            hotReplica ->
                hotReplica.range.equals(range)
                    && hotReplica.epoch.equals(epoch)
                    && hotReplica.filled())
        .map(HotReplica::closed)
        .max(Comparator.naturalOrder());
  }

  /** How far each hot-spot replica here that answers reads is closed. */
  public List<Position> closed() {
    return hotReplicas.values().stream()
        .filter(HotReplica::filled)
        .map(HotReplica::closed)
        .toList();
  }

  private Optional<ReadOutcome> answer(
      RangeId range,
      Epoch epoch,
      Position at,
      Predicate<HotReplica> holds,
      Function<HotReplica, ReadOutcome> read) {
    return hotReplicas.values().stream()
        .filter(hotReplica -> hotReplica.range.equals(range) && hotReplica.epoch.equals(epoch))
        .filter(
            hotReplica ->
                hotReplica.filled() && hotReplica.base().isAtOrBelow(at) && holds.test(hotReplica))
        .max(Comparator.comparing(HotReplica::closed))
        .map(
            hotReplica -> {
              if (!knows(hotReplica.closed(), at)) {
                return new ReadOutcome.Behind(source(hotReplica));
              }
              hotReplica.served(context.nanos());
              return read.apply(hotReplica);
            });
  }

  private ReadSource source(HotReplica hotReplica) {
    return new ReadSource(
        context.self(),
        CopyRole.HOT_REPLICA,
        hotReplica.closed(),
        ledgerView.adopted().position(),
        0);
  }

  /** How many hot-spot replicas are here. */
  public int count() {
    return hotReplicas.size();
  }

  /** What they take of memory. */
  public long bytes() {
    return bytes;
  }

  /** Reads that all hot-spot replicas here answer per second. */
  public double reads() {
    return hotReplicas.values().stream()
        .mapToDouble(hotReplica -> hotReplica.reads(context.nanos()))
        .sum();
  }

  /** Rule 10: only at or below the closed position. */
  @RuleSeam(10)
  protected boolean knows(Position closed, Position at) {
    return at.isAtOrBelow(closed);
  }

  /** What there is. */
  public List<View> views() {
    List<View> views = new ArrayList<>();
    for (HotReplica hotReplica : hotReplicas.values()) {
      views.add(
          new View(
              hotReplica.id.parent(),
              hotReplica.range,
              hotReplica.epoch,
              hotReplica.keys,
              hotReplica.filled(),
              hotReplica.base(),
              hotReplica.closed(),
              hotReplica.bytes(),
              hotReplica.all()));
    }
    return views;
  }
}
