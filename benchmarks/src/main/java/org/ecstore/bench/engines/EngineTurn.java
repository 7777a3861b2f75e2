package org.ecstore.bench.engines;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.kind.EngineKind;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import site.ycsb.generator.ScrambledZipfianGenerator;

/**
 * One turn of one engine on its directory: opened, warmed up, put through the phases, and closed,
 * so that nothing of it goes on in the turn of another. Updates go as from a node's writer, one
 * batch at a time; old versions are collected beside them as a node does, and what is left at the
 * end of a phase is collected before it ends.
 */
public final class EngineTurn {
  /** What is measured, in this order. */
  public enum Phase {
    /** Updates of keys some of which are far likelier than others, with old versions collected. */
    ZIPFIAN_UPDATES,
    /** Scans of a hundred rows right after updates. */
    SCANS_AFTER_UPDATES,
    /** As above, in reverse. */
    REVERSE_SCANS_AFTER_UPDATES,
    /** Reads of one key, some far likelier than others. */
    ZIPFIAN_READS,
    /** Updates of keys all of which are as likely. */
    UNIFORM_UPDATES,
    /** Reads of one key, all as likely. */
    UNIFORM_READS
  }

  private static final int BATCH_WRITES = 32;
  private static final int READS_UNDER_WAY = 32;

  /** Of a batch that fills the engine. */
  private static final int FILL_WRITES = 500;

  private static final long FILL_BYTES = 16L << 20;
  private static final int SCAN_ROWS = 100;
  private static final long ROUND_NANOS = 1_000_000_000L;
  private static final long PAUSE_MIN_NANOS = 1_000_000L;

  /** At most one read in so many may be refused. */
  private static final int REFUSED_SHARE = 100;

  private final EngineLoad load;
  private final OpenEngine engine;
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, BlockingQueue<EngineResult>> awaited = new ConcurrentHashMap<>();
  private final Semaphore underWay = new Semaphore(READS_UNDER_WAY);
  private final SplittableRandom random;
  private final IntSupplier zipfian;

  /** Through which position all is applied. */
  private long version;

  private volatile Optional<EngineResult> failure = Optional.empty();

  /** Reads that waited too long, as on a machine that does much else. */
  private final AtomicLong refused = new AtomicLong();

  private EngineTurn(EngineKind kind, Path directory, EngineLoad load, long firstVersion) {
    this.load = load;
    this.version = firstVersion;
    this.random = new SplittableRandom(firstVersion);
    ScrambledZipfianGenerator keys = new ScrambledZipfianGenerator(load.records());
    this.zipfian = () -> keys.nextValue().intValue();
    EngineSettings settings =
        EngineSettings.DEFAULT.withKind(kind.name()).withCacheBytes(load.cacheBytes());
    this.engine = kind.open(directory, settings, this::take, () -> true);
  }

  /**
   * The costs of a turn.
   *
   * @param firstVersion above all versions that earlier turns wrote; zero has the engine filled
   *     first
   */
  public static Map<Phase, EngineCosts> run(
      EngineKind kind, Path directory, EngineLoad load, long firstVersion)
      throws InterruptedException {
    EngineTurn turn = new EngineTurn(kind, directory, load, firstVersion);
    try {
      return turn.phases();
    } finally {
      turn.engine.close();
    }
  }

  private void take(Event event) {
    if (event instanceof Event.EngineDone(long token, EngineResult result)) {
      if (result instanceof EngineResult.Failed) {
        failure = Optional.of(result);
      } else if (result instanceof EngineResult.Overloaded) {
        refused.incrementAndGet();
      }
      BlockingQueue<EngineResult> waiting = awaited.remove(token);
      if (waiting == null) {
        underWay.release();
      } else {
        waiting.add(result);
      }
    }
  }

  private EngineResult await(LongConsumer call) throws InterruptedException {
    long token = tokens.incrementAndGet();
    BlockingQueue<EngineResult> result = new LinkedBlockingQueue<>();
    awaited.put(token, result);
    call.accept(token);
    return result.take();
  }

  private Map<Phase, EngineCosts> phases() throws InterruptedException {
    if (version == 0) {
      fill();
    }
    int operations = load.operations();
    updates(operations / 4, zipfian);
    reads(operations / 4, zipfian);
    Map<Phase, EngineCosts> costs = new EnumMap<>(Phase.class);
    costs.put(
        Phase.ZIPFIAN_UPDATES,
        EngineCosts.of(
            operations,
            () -> {
              updates(operations, zipfian);
              collect(version);
            }));
    int scans = operations / 20;
    for (boolean reverse : new boolean[] {false, true}) {
      applied(operations / 10, zipfian);
      costs.put(
          reverse ? Phase.REVERSE_SCANS_AFTER_UPDATES : Phase.SCANS_AFTER_UPDATES,
          EngineCosts.of(scans, () -> scans(scans, reverse)));
    }
    costs.put(Phase.ZIPFIAN_READS, EngineCosts.of(operations, () -> reads(operations, zipfian)));
    IntSupplier uniform = () -> random.nextInt(load.records());
    costs.put(
        Phase.UNIFORM_UPDATES,
        EngineCosts.of(
            operations,
            () -> {
              updates(operations, uniform);
              collect(version);
            }));
    costs.put(Phase.UNIFORM_READS, EngineCosts.of(operations, () -> reads(operations, uniform)));
    if (failure.isPresent() || refused.get() > operations / REFUSED_SHARE) {
      throw new IllegalStateException(
          "an engine failed: " + failure + ", and refused " + refused + " reads");
    }
    return costs;
  }

  private static Bytes key(int index) {
    return Bytes.utf8("user%012d".formatted(index));
  }

  private VersionedWrite write(int index, long at) {
    byte[] value = new byte[load.valueBytes()];
    random.nextBytes(value);
    return new VersionedWrite(key(index), new Position(at), Optional.of(Bytes.wrap(value)));
  }

  private void fill() throws InterruptedException {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < load.records(); i++) {
      writes.add(write(i, version + 1));
      boolean isFull = (long) writes.size() * load.valueBytes() >= FILL_BYTES;
      if (isFull || writes.size() == FILL_WRITES || i + 1 == load.records()) {
        apply(writes);
        writes.clear();
      }
    }
    collect(version);
  }

  private void apply(List<VersionedWrite> writes) throws InterruptedException {
    EngineBatch batch = new EngineBatch(writes, List.of());
    await(token -> engine.apply(token, batch));
    version++;
  }

  private void applied(int count, IntSupplier keys) throws InterruptedException {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(write(keys.getAsInt(), version + 1));
      if (writes.size() == BATCH_WRITES) {
        apply(writes);
        writes.clear();
      }
    }
  }

  /** Updates, with a collector of old versions beside them. */
  private void updates(int count, IntSupplier keys) throws InterruptedException {
    Collector collector = new Collector();
    Thread thread = Thread.ofPlatform().name("collector").daemon().start(collector);
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(write(keys.getAsInt(), version + 1));
      if (writes.size() == BATCH_WRITES) {
        apply(writes);
        collector.wrote(version);
        writes.clear();
      }
    }
    collector.over = true;
    thread.join();
  }

  /** Folds all versions through a position. */
  private void collect(long through) throws InterruptedException {
    Position floor = new Position(through);
    await(token -> engine.fold(token, KeyRange.ALL, floor, floor));
  }

  /** Rounds over all keys, as a node's. */
  private final class Collector implements Runnable {
    private record Written(long version, long nanos) {}

    private final Deque<Written> written = new ArrayDeque<>();
    private volatile boolean over;

    synchronized void wrote(long newest) {
      written.addLast(new Written(newest, System.nanoTime()));
    }

    private synchronized long floor() {
      long floor = 0;
      while (!written.isEmpty()
          && System.nanoTime() - written.getFirst().nanos() > load.retentionNanos()) {
        floor = written.removeFirst().version();
      }
      return floor;
    }

    @Override
    public void run() {
      try {
        while (!over) {
          pause(ROUND_NANOS);
          long floor = floor();
          if (floor > 0) {
            collect(floor);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void pause(long nanos) {
      long until = System.nanoTime() + nanos;
      while (!over && until - System.nanoTime() > 0) {
        LockSupport.parkNanos(PAUSE_MIN_NANOS);
      }
    }
  }

  private void reads(int count, IntSupplier keys) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      underWay.acquire();
      engine.read(tokens.incrementAndGet(), List.of(key(keys.getAsInt())), new Position(version));
    }
    drain();
  }

  private void scans(int count, boolean reverse) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      underWay.acquire();
      Bytes at = key(random.nextInt(load.records()));
      KeyRange interval = reverse ? KeyRange.of(Bytes.EMPTY, at) : KeyRange.from(at);
      engine.scan(
          tokens.incrementAndGet(),
          new ScanSpec(interval, new Position(version), reverse, SCAN_ROWS, 1 << 20, false));
    }
    drain();
  }

  private void drain() throws InterruptedException {
    underWay.acquire(READS_UNDER_WAY);
    underWay.release(READS_UNDER_WAY);
  }
}
