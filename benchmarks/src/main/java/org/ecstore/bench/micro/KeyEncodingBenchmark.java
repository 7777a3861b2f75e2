package org.ecstore.bench.micro;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Tuples to keys, back, and keys held against each other. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyEncodingBenchmark {
  private static final Bytes TABLE = Tuple.of("photos").encode();

  private final Tuple tuple =
      Tuple.of("user6284781860667377211", Instant.ofEpochMilli(1_788_000_000_000L), 17L);
  private final Bytes encoded = tuple.encode(TABLE);
  private final Bytes near =
      Tuple.of("user6284781860667377211", Instant.ofEpochMilli(1_788_000_000_000L), 18L)
          .encode(TABLE);

  @Benchmark
  public Bytes encode() {
    return tuple.encode(TABLE);
  }

  @Benchmark
  public Tuple decode() {
    return Tuple.decode(TABLE, encoded);
  }

  @Benchmark
  public int compare() {
    return encoded.compareTo(near);
  }
}
