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
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Row;
import org.ecstore.replication.hotspot.SlaveMessage.LoadNews;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveAck;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveDrop;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveGone;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveOffer;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveUpdate;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyDone;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.view.LedgerView;

/**
 * The slaves that a node holds for copies of others (ecStore §4.2, rules 10, 11, 25). They are in
 * memory, within a bound, and nothing rests on them: what is amiss with one ends it, and its parent
 * is told. A slave answers reads of its keys from its base through its closed position, and reads
 * only.
 */
public class SlaveHost {
  /** What is forgotten in a step, and looked at: some milliseconds of the lane at most. */
  private static final int PRUNED_AT_ONCE = 1_000;

  private static final int LOOKED_AT_ONCE = 10_000;

  private final NodeContext lane;
  private final LedgerView knowledge;
  private final SlaveSettings settings;
  private final long fetchTimeoutNanos;
  private final TreeMap<Slave.Id, Slave> slaves = new TreeMap<>();
  private Slave.Id lastPruned = new Slave.Id(new NodeId(0), 0);
  private long bytes;

  /** A slave, for people and checkers. */
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

  public SlaveHost(
      NodeContext lane, LedgerView knowledge, SlaveSettings settings, long fetchTimeoutNanos) {
    this.lane = lane;
    this.knowledge = knowledge;
    this.settings = settings;
    this.fetchTimeoutNanos = fetchTimeoutNanos;
  }

  /** A message from a copy that feeds a slave here, or wants to. */
  public void take(NodeId parent, SlaveMessage message) {
    switch (message) {
      case SlaveOffer offer -> offered(parent, offer);
      case SlaveUpdate update -> update(parent, update);
      case SlaveDrop(var number) -> remove(new Slave.Id(parent, number));
      case SlaveAck _, SlaveGone _, LoadNews _ ->
          throw new IllegalArgumentException("not for a slave");
    }
  }

  private void offered(NodeId parent, SlaveOffer offer) {
    Slave.Id id = new Slave.Id(parent, offer.slave());
    if (slaves.containsKey(id)) {
      return;
    }
    if (slaves.size() >= settings.heldMax() || bytes >= settings.heldBytesMax()) {
      lane.send(parent, new SlaveGone(offer.slave(), "this node holds as much as it may"));
      return;
    }
    Slave slave =
        new Slave(
            id, offer.range(), offer.epoch(), offer.keys(), settings.halfLifeNanos(), lane.nanos());
    slaves.put(id, slave);
    long transfer = lane.ports().random().nextLong(1, Long.MAX_VALUE);
    fetch(slave, transfer, slave.keys, Optional.empty());
  }

  private void fetch(Slave slave, long transfer, KeyRange rest, Optional<Position> stamp) {
    lane.ask(
        slave.id.parent(),
        call -> new CopyFetch(call, transfer, slave.range, slave.epoch, rest, stamp),
        fetchTimeoutNanos,
        answer -> fetched(slave, transfer, rest, stamp, answer));
  }

  private void fetched(
      Slave slave,
      long transfer,
      KeyRange rest,
      Optional<Position> stamp,
      Optional<NodeMessage> answer) {
    if (!isHeld(slave)) {
      lane.send(slave.id.parent(), new CopyDone(transfer));
      return;
    }
    if (!(answer.orElse(null) instanceof CopyChunk chunk)
        || !chunk.rows().stream().allMatch(row -> rest.contains(row.key()))
        || !stamp.orElse(chunk.stamp()).equals(chunk.stamp())
        || (chunk.rows().isEmpty() && !chunk.complete())) {
      lane.send(slave.id.parent(), new CopyDone(transfer));
      end(slave, "it could not be filled");
      return;
    }
    slave.heard(lane.nanos());
    for (Row row : chunk.rows()) {
      put(slave, new VersionedWrite(row.key(), row.version(), Optional.of(row.value())));
    }
    Optional<Bytes> next =
        chunk.complete()
            ? Optional.empty()
            : Optional.of(chunk.rows().getLast().key().successor()).filter(rest::isBelowEnd);
    if (endedByBound(slave)) {
      lane.send(slave.id.parent(), new CopyDone(transfer));
    } else if (next.isPresent()) {
      fetch(
          slave,
          transfer,
          KeyRange.between(next.get(), slave.keys.end()),
          Optional.of(chunk.stamp()));
    } else {
      slave.fill(chunk.stamp());
      lane.send(slave.id.parent(), new CopyDone(transfer));
      ack(slave);
    }
  }

  private void put(Slave slave, VersionedWrite write) {
    long before = slave.bytes();
    slave.put(write);
    bytes += slave.bytes() - before;
  }

  private boolean endedByBound(Slave slave) {
    if (bytes <= settings.heldBytesMax()) {
      return false;
    }
    end(slave, "it is larger than this node has room for");
    return true;
  }

  private void update(NodeId parent, SlaveUpdate update) {
    Slave slave = slaves.get(new Slave.Id(parent, update.slave()));
    if (slave == null) {
      lane.send(parent, new SlaveGone(update.slave(), "there is no such slave here"));
      return;
    }
    slave.heard(lane.nanos());
    if (!slave.filled()) {
      return;
    }
    if (isContiguous(slave.closed(), update)) {
      for (VersionedWrite write : update.writes()) {
        if (write.version().isAfter(slave.closed())) {
          put(slave, write);
        }
      }
      slave.close(update.closed());
    }
    if (!endedByBound(slave)) {
      ack(slave);
    }
  }

  /** Rule 11: whether nothing is missing between what is here and what comes. */
  protected boolean isContiguous(Position closed, SlaveUpdate update) {
    return update.previous().isAtOrBelow(closed);
  }

  private void ack(Slave slave) {
    long reads = Math.round(slave.reads(lane.nanos()) * 1000);
    lane.send(slave.id.parent(), new SlaveAck(slave.id.number(), slave.closed(), reads));
  }

  private boolean isHeld(Slave slave) {
    return slave.equals(slaves.get(slave.id));
  }

  private void end(Slave slave, String reason) {
    remove(slave.id);
    lane.send(slave.id.parent(), new SlaveGone(slave.id.number(), reason));
  }

  private void remove(Slave.Id id) {
    Slave gone = slaves.remove(id);
    if (gone != null) {
      bytes -= gone.bytes();
    }
  }

  private void endAll(Predicate<Slave> ended, String reason) {
    for (Slave slave : List.copyOf(slaves.values())) {
      if (ended.test(slave)) {
        end(slave, reason);
      }
    }
  }

  /** The map has changed: slaves of ranges that are no more end. */
  public void reconcile() {
    endAll(
        slave ->
            slave.epoch.value() <= knowledge.map().version().value()
                && knowledge
                    .map()
                    .range(slave.range)
                    .filter(range -> range.epoch().equals(slave.epoch))
                    .isEmpty(),
        "its range has changed");
  }

  /** Ends slaves that nobody feeds any more, and forgets old versions. Called now and then. */
  public void tick() {
    long now = lane.nanos();
    endAll(
        slave -> now - slave.heardNanos() > settings.silenceNanos(),
        "its parent has fallen silent");
    pruneSome();
  }

  /**
   * Below a recorded floor nothing is read any more (rule 14); versions go later, a bounded step at
   * a time.
   */
  public void floor(Position floor) {
    slaves.values().forEach(slave -> slave.raiseBase(floor));
  }

  /** One slave after the other: the floor may move faster than a large one is gone through. */
  private void pruneSome() {
    Stream.concat(
            slaves.tailMap(lastPruned, false).values().stream(),
            slaves.headMap(lastPruned, true).values().stream())
        .filter(Slave::isPrunable)
        .findFirst()
        .ifPresent(
            slave -> {
              long before = slave.bytes();
              slave.pruneSome(PRUNED_AT_ONCE, LOOKED_AT_ONCE);
              bytes += slave.bytes() - before;
              lastPruned = slave.id;
            });
  }

  /** Reads keys of a slave here; absent if there is none of them all. */
  public Optional<ReadOutcome> get(RangeId range, Epoch epoch, List<Bytes> keys, Position at) {
    return answer(
        range,
        epoch,
        at,
        slave -> keys.stream().allMatch(slave.keys::contains),
        slave ->
            new ReadOutcome.Values(
                keys.stream().map(key -> slave.read(key, at)).toList(), source(slave)));
  }

  /** Reads an interval of a slave here; absent if there is none of it all. */
  public Optional<ReadOutcome> scan(RangeId range, Epoch epoch, ScanSpec spec) {
    return answer(
        range,
        epoch,
        spec.at(),
        slave -> slave.keys.contains(spec.interval()),
        slave -> {
          EngineResult.Rows found = slave.scan(spec);
          return new ReadOutcome.Rows(found.rows(), found.complete(), source(slave));
        });
  }

  /** How far the slaves of a range here are closed: the one that is closed furthest. */
  public Optional<Position> closed(RangeId range, Epoch epoch) {
    return slaves.values().stream()
        .filter(slave -> slave.range.equals(range) && slave.epoch.equals(epoch) && slave.filled())
        .map(Slave::closed)
        .max(Comparator.naturalOrder());
  }

  private Optional<ReadOutcome> answer(
      RangeId range,
      Epoch epoch,
      Position at,
      Predicate<Slave> holds,
      Function<Slave, ReadOutcome> read) {
    return slaves.values().stream()
        .filter(slave -> slave.range.equals(range) && slave.epoch.equals(epoch))
        .filter(slave -> slave.filled() && slave.base().isAtOrBelow(at) && holds.test(slave))
        .max(Comparator.comparing(Slave::closed))
        .map(
            slave -> {
              if (!knows(slave.closed(), at)) {
                return new ReadOutcome.Behind(source(slave));
              }
              slave.served(lane.nanos());
              return read.apply(slave);
            });
  }

  private ReadSource source(Slave slave) {
    return new ReadSource(
        lane.self(), CopyRole.SLAVE, slave.closed(), knowledge.adopted().position(), 0);
  }

  /** How many slaves are here. */
  public int count() {
    return slaves.size();
  }

  /** What they take of memory. */
  public long bytes() {
    return bytes;
  }

  /** Reads that all slaves here answer per second. */
  public double reads() {
    return slaves.values().stream().mapToDouble(slave -> slave.reads(lane.nanos())).sum();
  }

  /** Rule 10: only at or below the closed position. */
  protected boolean knows(Position closed, Position at) {
    return at.isAtOrBelow(closed);
  }

  /** What there is. */
  public List<View> views() {
    List<View> views = new ArrayList<>();
    for (Slave slave : slaves.values()) {
      views.add(
          new View(
              slave.id.parent(),
              slave.range,
              slave.epoch,
              slave.keys,
              slave.filled(),
              slave.base(),
              slave.closed(),
              slave.bytes(),
              slave.all()));
    }
    return views;
  }
}
