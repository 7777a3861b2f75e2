package org.ecstore.bench.micro;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.metrics.ServedMetrics;
import org.ecstore.core.metrics.CommitEnd;
import org.ecstore.core.metrics.CommitStage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.id.NodeId;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What it costs to tell a number: without a registry, and to a node's registry. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InstrumentBenchmark {
  @Param({"false", "true"})
  public boolean served;

  private @Nullable ServedMetrics registry;
  private TaggedInstrument<CommitEnd> counter = counter(Metrics.NONE);
  private TaggedInstrument<CommitStage> timer = timer(Metrics.NONE);
  private long nanos;

  private static TaggedInstrument<CommitEnd> counter(Metrics metrics) {
    return new TaggedInstrument<>(metrics, NodeMetrics.COMMITS, CommitEnd.class);
  }

  private static TaggedInstrument<CommitStage> timer(Metrics metrics) {
    return new TaggedInstrument<>(metrics, NodeMetrics.COMMIT_TIME, CommitStage.class);
  }

  /** Opens what takes them. */
  @Setup
  public void open() throws IOException {
    if (served) {
      registry =
          ServedMetrics.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "bench", new NodeId(1));
      counter = counter(registry.metrics());
      timer = timer(registry.metrics());
    }
  }

  /** Ends it. */
  @TearDown
  public void close() {
    if (registry != null) {
      registry.close();
    }
  }

  @Benchmark
  public void count() {
    counter.of(CommitEnd.COMMITTED).count();
  }

  /** Times from 0 to 67 ms, so that all buckets have their turn. */
  @Benchmark
  public void time() {
    nanos = (nanos + 104_729) & 0x3ff_ffff;
    timer.of(CommitStage.WHOLE).record(nanos);
  }
}
