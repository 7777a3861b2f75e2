package org.ecstore.engines.je;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineDriver;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * A quick measurement of the Berkeley DB engine through its port, queues and threads included. Not
 * a test. Arguments: an empty directory, records, bytes of a value, calls in flight.
 */
final class JeMeasurement {
  private static final int BATCH = 10;

  private final PrintStream out = new PrintStream(System.out, true);
  private final EngineDriver driver;
  private final int records;
  private final int valueBytes;
  private final int inFlight;
  private final SplittableRandom random = new SplittableRandom(1);
  private long version;

  private JeMeasurement(Path directory, int records, int valueBytes, int inFlight) {
    this.records = records;
    this.valueBytes = valueBytes;
    this.inFlight = inFlight;
    this.driver =
        new EngineDriver(sink -> JeEngine.open(directory, JeSettings.DEFAULT, sink), () -> {});
  }

  public static void main(String[] arguments) {
    JeMeasurement measurement =
        new JeMeasurement(
            Path.of(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]));
    measurement.run();
  }

  private void run() {
    measure("load, batches of 100", records / 100, inFlight, this::load);
    driver.sync();
    for (int flight : new int[] {1, inFlight}) {
      measure("point read", 100_000, flight, this::read);
      measure("apply a batch of " + BATCH, 10_000, flight, this::update);
      measure("scan 100", 10_000, flight, token -> scan(token, false, false));
      measure("scan 100, keys only", 10_000, flight, token -> scan(token, false, true));
      measure("scan 100 in reverse", 10_000, flight, token -> scan(token, true, false));
      measure("newest of 10 keys", 10_000, flight, this::newest);
      measure("sync", 500, flight, token -> driver.engine().sync(token));
    }
    ((JeEngine) driver.engine()).close();
  }

  private void measure(String what, int calls, int flight, LongConsumer call) {
    long[] begun = new long[calls];
    long[] nanos = new long[calls];
    Deque<Long> tokens = new ArrayDeque<>();
    long start = System.nanoTime();
    long cpu = cpuNanos();
    for (int i = 0; i < calls; i++) {
      long token = driver.nextToken();
      tokens.add(token);
      begun[i] = System.nanoTime();
      call.accept(token);
      if (tokens.size() == flight) {
        driver.take(tokens.removeFirst());
        int done = i - flight + 1;
        nanos[done] = System.nanoTime() - begun[done];
      }
    }
    tokens.forEach(driver::take);
    double seconds = (System.nanoTime() - start) / 1e9;
    long[] sorted = Arrays.copyOf(nanos, calls - flight + 1);
    Arrays.sort(sorted);
    out.printf(
        Locale.ROOT,
        "%-24s in flight %3d: %,9.0f/s  p50 %8.1f us  p99 %8.1f us  cpu %6.1f us%n",
        what,
        flight,
        calls / seconds,
        sorted[sorted.length / 2] / 1e3,
        sorted[sorted.length * 99 / 100] / 1e3,
        (cpuNanos() - cpu) / 1e3 / calls);
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private static Bytes key(int record) {
    return Bytes.utf8(String.format(Locale.ROOT, "user%012d", record));
  }

  private VersionedWrite write(int record) {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    return new VersionedWrite(key(record), new Position(version), Optional.of(Bytes.wrap(value)));
  }

  private void load(long token) {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writes.add(write((int) (version * 100 + i)));
    }
    version++;
    driver.engine().apply(token, new EngineBatch(writes, List.of()));
  }

  private void update(long token) {
    version++;
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      writes.add(write(random.nextInt(records)));
    }
    driver.engine().apply(token, new EngineBatch(writes, List.of()));
  }

  private void read(long token) {
    driver.engine().read(token, List.of(key(random.nextInt(records))), new Position(version));
  }

  private void scan(long token, boolean reverse, boolean keysOnly) {
    Bytes key = key(random.nextInt(records / 2) + (reverse ? records / 2 : 0));
    KeyRange interval = reverse ? KeyRange.of(Bytes.EMPTY, key) : KeyRange.from(key);
    driver
        .engine()
        .scan(
            token, new ScanSpec(interval, new Position(version), reverse, 100, 1 << 20, keysOnly));
  }

  private void newest(long token) {
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(key(random.nextInt(records)));
    }
    driver.engine().newest(token, keys, List.of(), new Position(version));
  }
}
