package org.ecstore.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.wire.WireWriter;

/**
 * Random ledger records, descriptors, changes and maps, from a seed: well-formed each for itself,
 * but not fitting each other (a change need not apply to any map).
 */
public final class RandomRecords {
  private static final int TYPES = 6;

  private final SplittableRandom random;

  public RandomRecords(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A record of any type. */
  public LedgerRecord record() {
    return switch (random.nextInt(TYPES)) {
      case 0 -> new LedgerRecord.NoOp();
      case 1 -> commit();
      case 2 -> new LedgerRecord.Abort(txn(), position());
      case 3 -> new LedgerRecord.EpochChange(change());
      case 4 -> new LedgerRecord.VersionFloor(position());
      default -> checkpoint();
    };
  }

  /** A commit of a few small writes. */
  public LedgerRecord.Commit commit() {
    return commit(random.nextInt(5), 12);
  }

  /** A commit with so many writes, each value shorter than so many bytes. */
  public LedgerRecord.Commit commit(int writes, int valueBytesBelow) {
    return new LedgerRecord.Commit(
        txn(),
        node(),
        random.nextLong(),
        position(),
        mapVersion(),
        random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
        list(random.nextInt(4), () -> new LedgerRecord.RangeVote(rangeId(), epoch())),
        list(writes, () -> new KeyWrite(bytes(12), mutation(valueBytesBelow))),
        catalogVersion());
  }

  private Mutation mutation(int valueBytesBelow) {
    return random.nextInt(4) == 0
        ? new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(random.nextLong()).toBytes())
        : Mutation.of(maybe(() -> bytes(valueBytesBelow)));
  }

  /** A checkpoint of a small map and a few outcomes. */
  public LedgerRecord.Checkpoint checkpoint() {
    return new LedgerRecord.Checkpoint(
        map(),
        position(),
        position(),
        list(
            random.nextInt(5),
            () -> new LedgerRecord.Settled(txn(), position(), random.nextBoolean())),
        catalogVersion());
  }

  private long catalogVersion() {
    return random.nextInt(4) == 0 ? random.nextLong(1L << 62) : 0;
  }

  /** A change of the map. */
  public MapChange change() {
    return new MapChange(
        mapVersion(),
        list(random.nextInt(3), this::rangeId),
        list(random.nextInt(3), () -> descriptor(rangeId(), range())),
        text());
  }

  /** A descriptor of any range. */
  public RangeDescriptor descriptor() {
    return descriptor(rangeId(), range());
  }

  /** A map: empty, or of up to eight ranges. */
  public RangeMap map() {
    if (random.nextInt(4) == 0) {
      return RangeMap.EMPTY;
    }
    TreeSet<Bytes> bounds = new TreeSet<>(list(random.nextInt(8), () -> bytes(12)));
    bounds.remove(Bytes.EMPTY);
    List<RangeDescriptor> ranges = new ArrayList<>();
    Bytes start = Bytes.EMPTY;
    long id = random.nextInt(100);
    for (Bytes end : bounds) {
      ranges.add(descriptor(new RangeId(id++), KeyRange.of(start, end)));
      start = end;
    }
    ranges.add(descriptor(new RangeId(id), KeyRange.from(start)));
    return RangeMap.of(mapVersion(), ranges);
  }

  private RangeDescriptor descriptor(RangeId id, KeyRange keys) {
    return new RangeDescriptor(
        id, keys, epoch(), node(), random.nextLong(), list(random.nextInt(3), this::node));
  }

  private KeyRange range() {
    Bytes a = bytes(12);
    Bytes b = bytes(12);
    int order = a.compareTo(b);
    if (order == 0) {
      return KeyRange.from(a);
    }
    return order < 0 ? KeyRange.of(a, b) : KeyRange.of(b, a);
  }

  public Position position() {
    return new Position(natural());
  }

  public MapVersion mapVersion() {
    return new MapVersion(natural());
  }

  public Epoch epoch() {
    return new Epoch(natural());
  }

  public RangeId rangeId() {
    return new RangeId(natural());
  }

  public NodeId node() {
    return new NodeId(natural());
  }

  public TxnId txn() {
    return new TxnId(random.nextLong(), random.nextLong());
  }

  /** Fewer bytes than a length. */
  public Bytes bytes(int lengthBelow) {
    byte[] array = new byte[random.nextInt(lengthBelow)];
    random.nextBytes(array);
    return Bytes.wrap(array);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(6); left > 0; left--) {
      text.appendCodePoint(random.nextBoolean() ? 'a' + random.nextInt(26) : 0x1f600);
    }
    return text.toString();
  }

  /** Small and large numbers alike, up to 2^63-1. */
  private long natural() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextInt(4) != 0 ? Optional.of(value.get()) : Optional.empty();
  }

  private static <T> List<T> list(int count, Supplier<T> value) {
    List<T> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(value.get());
    }
    return values;
  }
}
