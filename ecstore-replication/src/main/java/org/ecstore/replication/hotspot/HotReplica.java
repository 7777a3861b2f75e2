package org.ecstore.replication.hotspot;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.mvcc.VersionedMap.Prunable;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult.Rows;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.replication.load.DecayedRates;

/**
 * A part of a copy of another node, in memory. It can read every commit to its keys numbered above
 * its base through its closed position; what was there at its base it has as of then.
 */
final class HotReplica {
  private static final int VERSION_OVERHEAD_BYTES = 96;

  /** A list that is longer is not appended to on the event loop, each time anew. */
  private static final int LIST_BYTES_MAX = 4 << 10;

  /** Who feeds it, and its number there. */
  record Id(NodeId parent, long number) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int order = parent.compareTo(other.parent);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  final Id id;
  final RangeId range;
  final Epoch epoch;
  final KeyRange keys;
  private final VersionedMap versions = new VersionedMap();
  private boolean filled;
  private Position base = Position.ZERO;
  private Position closed = Position.ZERO;

  /** Versions below it are gone, but for those in {@link #unpruned}. */
  private Position pruned = Position.ZERO;

  private Optional<KeyRange> unpruned = Optional.empty();
  private long bytes;
  private long heardNanos;
  private final DecayedRates served;

  HotReplica(Id id, RangeId range, Epoch epoch, KeyRange keys, long halfLifeNanos, long nanos) {
    this.id = id;
    this.range = range;
    this.epoch = epoch;
    this.keys = keys;
    this.heardNanos = nanos;
    this.served = new DecayedRates(halfLifeNanos, nanos);
  }

  /** It has answered a read. */
  void served(long nanos) {
    served.read(1, nanos);
  }

  /** Reads that it answers per second. */
  double reads(long nanos) {
    return served.rates(nanos).reads();
  }

  boolean filled() {
    return filled;
  }

  Position base() {
    return base;
  }

  Position closed() {
    return closed;
  }

  long bytes() {
    return bytes;
  }

  long heardNanos() {
    return heardNanos;
  }

  void heard(long nanos) {
    heardNanos = nanos;
  }

  /**
   * Takes a write in: a row that its parent had at the stamp, or, once it is filled, what was
   * written above. These come in the order of their numbers, so what an operation makes of the key
   * is known at once (rule 28).
   *
   * @return false, and nothing is taken, if it would be much work: an operation on a long list
   */
  boolean put(VersionedWrite write) {
    VersionedWrite taken = write;
    if (write.mutation() instanceof Mutation.Operation operation) {
      Optional<Bytes> before = read(write.key(), write.version()).map(Row::value);
      if (!operation.op().isNumeric()
          && before.map(Bytes::length).orElse(0) + operation.length() > LIST_BYTES_MAX) {
        return false;
      }
      taken = new VersionedWrite(write.key(), write.version(), operation.after(before));
    }
    if (versions.put(taken).isEmpty()) {
      bytes += bytesOf(taken);
    }
    return true;
  }

  /** It has all that its parent had at the stamp. */
  void fill(Position stamp) {
    filled = true;
    base = stamp;
    closed = stamp;
    pruned = stamp;
  }

  void close(Position position) {
    closed = Position.max(closed, position);
  }

  /** Below the floor nothing is read any more. */
  void raiseBase(Position floor) {
    if (filled) {
      base = Position.max(base, Position.min(floor, closed));
    }
  }

  /** Whether it has versions that no snapshot at or above its base can read, or may have. */
  boolean isPrunable() {
    return unpruned.isPresent() || base.isAfter(pruned);
  }

  /** Forgets some of them, tombstones included: it is whole. */
  void pruneSome(int versionsMax, int keysMax) {
    if (unpruned.isEmpty()) {
      pruned = base;
      unpruned = Optional.of(keys);
    }
    Prunable old = versions.prunable(unpruned.get(), pruned, pruned, versionsMax, keysMax);
    old.versions().forEach(versions::remove);
    old.versions().forEach(write -> bytes -= bytesOf(write));
    unpruned = old.rest();
  }

  private static long bytesOf(VersionedWrite write) {
    return VERSION_OVERHEAD_BYTES + write.bytes();
  }

  Optional<Row> read(Bytes key, Position at) {
    return versions.read(key, at);
  }

  Rows scan(ScanSpec spec) {
    return versions.scan(spec);
  }

  List<VersionedWrite> all() {
    return versions.all(keys);
  }
}
