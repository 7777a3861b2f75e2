package org.ecstore.bench.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The map of ranges, small and as large as it may get. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RangeMapBenchmark {
  private static final int KEYS = 1 << 12;

  /** Ranges in the map. */
  @Param({"1", "1000", "1000000"})
  public int ranges;

  private final Bytes[] keys = new Bytes[KEYS];
  private RangeMap map = RangeMap.EMPTY;
  private int next;

  private static Bytes key(int index) {
    return Bytes.of(index >>> 24, (index >>> 16) & 0xff, (index >>> 8) & 0xff, index & 0xff);
  }

  private static RangeDescriptor range(long id, KeyRange keys, long epoch) {
    NodeId node = new NodeId(1 + id % 3);
    return new RangeDescriptor(new RangeId(id), keys, new Epoch(epoch), node, 1, List.of());
  }

  /** Ranges of equal width, and keys all over them. */
  @Setup
  public void prepare() {
    List<RangeDescriptor> all = new ArrayList<>();
    for (int i = 0; i < ranges; i++) {
      Bytes start = i == 0 ? Bytes.EMPTY : key(i);
      Optional<Bytes> end = i + 1 == ranges ? Optional.empty() : Optional.of(key(i + 1));
      all.add(range(i + 1, KeyRange.between(start, end), 1));
    }
    map = RangeMap.of(new MapVersion(1), all);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = key(random.nextInt(ranges));
    }
  }

  private Bytes nextKey() {
    next = (next + 1) % KEYS;
    return keys[next];
  }

  /** Whose a key is. */
  @Benchmark
  public Optional<RangeDescriptor> lookup() {
    return map.rangeOf(nextKey());
  }

  /** A range is given to another node: the next version of the map. */
  @Benchmark
  public RangeMap change() {
    RangeDescriptor old = map.rangeOf(nextKey()).orElseThrow();
    MapVersion version = map.version().next();
    return map.apply(
        new MapChange(
            version,
            List.of(old.id()),
            List.of(range(old.id().value(), old.keys(), version.value())),
            "benchmark"));
  }
}
