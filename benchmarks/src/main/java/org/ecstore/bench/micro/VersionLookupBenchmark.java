package org.ecstore.bench.micro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.server.file.TemporaryDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The newest version at or below a snapshot, 64 reads under way at a time: in the window of
 * versions, or in Berkeley DB below it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VersionLookupBenchmark {
  private static final int RECORDS = 50_000;
  private static final int UNDER_WAY = 64;
  private static final int BATCH = 500;
  private static final int PAGE_RECORDS = 100;
  private static final Position NEWEST = new Position(2);

  /** Where the version is that is read. */
  public enum Where {
    /** In memory, above an older one in the store. */
    WINDOW,
    /** In the store, and none in the window. */
    STORE
  }

  /** Where the version is that is read. */
  @Param({"WINDOW", "STORE"})
  public Where where = Where.WINDOW;

  private final Semaphore done = new Semaphore(0);
  private final SplittableRandom random = new SplittableRandom(1);
  private volatile Optional<String> failure = Optional.empty();
  private Optional<TemporaryDirectory> directory = Optional.empty();
  private Optional<OpenEngine> engine = Optional.empty();

  private static Bytes key(int index) {
    return Bytes.utf8("user%019d".formatted(index));
  }

  /** Fills an engine in a directory of its own. */
  @Setup
  public void prepare() throws IOException, InterruptedException {
    directory = Optional.of(TemporaryDirectory.create("ecstore-micro"));
    EngineSettings settings = EngineSettings.DEFAULT.withCacheBytes(1L << 30);
    OpenEngine opened =
        EngineKinds.named(settings.kind())
            .open(directory.get().path(), settings, this::heard, () -> true);
    engine = Optional.of(opened);
    fill(opened, 1);
    fold(opened, 1);
    fill(opened, 2);
    if (where == Where.STORE) {
      fold(opened, 2);
    }
  }

  private void fill(OpenEngine opened, long version) throws IOException, InterruptedException {
    Bytes value = Bytes.utf8("123456789,".repeat(100));
    for (int first = 0; first < RECORDS; first += BATCH) {
      List<Engine.VersionedWrite> writes = new ArrayList<>();
      for (int i = first; i < first + BATCH; i++) {
        writes.add(new Engine.VersionedWrite(key(i), new Position(version), Optional.of(value)));
      }
      opened.apply(first, new Engine.EngineBatch(writes, List.of()));
      await(1);
    }
  }

  private void fold(OpenEngine opened, long through) throws IOException, InterruptedException {
    opened.fold(0, KeyRange.ALL, new Position(through), new Position(through));
    await(1);
  }

  private void heard(Event event) {
    if (event instanceof Event.EngineDone(long _, EngineResult.Failed failed)) {
      failure = Optional.of(failed.detail());
    }
    done.release();
  }

  private void await(int calls) throws IOException, InterruptedException {
    if (!done.tryAcquire(calls, 60, TimeUnit.SECONDS)) {
      throw new IOException("the engine did not answer within 60 s");
    }
    if (failure.isPresent()) {
      throw new IOException(failure.get());
    }
  }

  @Benchmark
  @OperationsPerInvocation(UNDER_WAY)
  public void read() throws IOException, InterruptedException {
    for (int i = 0; i < UNDER_WAY; i++) {
      engine.orElseThrow().read(i, List.of(key(random.nextInt(RECORDS))), NEWEST);
    }
    await(UNDER_WAY);
  }

  /** A page of 100 records. */
  @Benchmark
  @OperationsPerInvocation(UNDER_WAY)
  public void scan() throws IOException, InterruptedException {
    for (int i = 0; i < UNDER_WAY; i++) {
      KeyRange from =
          KeyRange.between(key(random.nextInt(RECORDS - PAGE_RECORDS)), Optional.empty());
      engine
          .orElseThrow()
          .scan(i, new Engine.ScanSpec(from, NEWEST, false, PAGE_RECORDS, 1 << 20, false));
    }
    await(UNDER_WAY);
  }

  /** Closes the engine and takes its directory away. */
  @TearDown
  public void close() throws IOException {
    engine.ifPresent(OpenEngine::close);
    if (directory.isPresent()) {
      directory.get().close();
    }
  }
}
