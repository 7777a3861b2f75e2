package org.ecstore.bench.micro;

import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.Histogram;
import org.ecstore.replication.load.HistogramSettings;
import org.ecstore.replication.placement.PositionMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A read and a write counted in the histogram of a copy (rule 24). */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HistogramCreditBenchmark {
  private static final int KEYS = 1 << 12;

  /** Buckets of the histogram; 20 is the default. */
  @Param({"20", "200"})
  public int buckets;

  private final Bytes[] keys = new Bytes[KEYS];
  private final KeyRange[] intervals = new KeyRange[KEYS];
  private Histogram histogram = histogram(20);
  private int next;
  private long now;

  private static Histogram histogram(int buckets) {
    return new Histogram(
        KeyRange.ALL, PositionMap.FIRST_BYTES, HistogramSettings.DEFAULT.withBuckets(buckets), 0);
  }

  /** Keys all over the range, and intervals of a hundredth of it. */
  @Setup
  public void prepare() {
    histogram = histogram(buckets);
    for (int i = 0; i < KEYS; i++) {
      int at = Integer.reverse(i) >>> 16;
      int end = Math.min(0xffff, at + 655);
      keys[i] = Bytes.of(at >>> 8, at & 0xff);
      intervals[i] = KeyRange.of(keys[i], Bytes.of(end >>> 8, end & 0xff, 1));
    }
  }

  private int step() {
    now += 1_000;
    next = (next + 1) % KEYS;
    return next;
  }

  @Benchmark
  public void read() {
    histogram.read(KeyRange.single(keys[step()]), now);
  }

  @Benchmark
  public void scan() {
    histogram.read(intervals[step()], now);
  }

  @Benchmark
  public void update() {
    histogram.update(keys[step()], now);
  }
}
