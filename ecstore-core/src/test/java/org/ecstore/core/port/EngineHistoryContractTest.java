package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of an {@link Engine} against {@link EngineModel}: one call at a time, many calls
 * in flight, and crashes. Versions grow with every batch, as commit numbers do.
 */
public abstract class EngineHistoryContractTest {
  private static final Bytes SEQUENCE = Bytes.utf8("sequence");
  private static final Position END = new Position(Long.MAX_VALUE);

  /** Opens an engine on the store of this test, which outlives it and is empty at first. */
  protected abstract Engine open(Consumer<Event> sink);

  /** Closes an engine in the orderly way. */
  protected abstract void close(Engine engine);

  /**
   * Tells an engine that was opened again how far its store is.
   *
   * @param folded it has all through there
   * @param folding rows may be as of there
   */
  protected abstract void restore(Engine engine, Position folded, Position folding);

  /** Lets an engine without threads of its own complete one call. */
  protected void advance() {}

  /** Ends an engine as a crash of the machine does; the store may then be opened again. */
  protected abstract void crash(Engine engine, RandomGenerator random);

  /** Everything delivered so far has just been made durable. */
  protected void synced(Engine engine) {}

  static Bytes key(RandomGenerator random) {
    if (random.nextInt(3) == 0) {
      return EngineContractTest.HARD_KEYS.get(random.nextInt(EngineContractTest.HARD_KEYS.size()));
    }
    byte[] array = new byte[random.nextInt(4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = (byte) (random.nextBoolean() ? random.nextInt(3) : 0xfe + random.nextInt(2));
    }
    return Bytes.copyOf(array);
  }

  static KeyRange interval(RandomGenerator random) {
    Bytes a = key(random);
    Bytes b = key(random);
    int order = a.compareTo(b);
    return switch (random.nextInt(6)) {
      case 0 -> KeyRange.ALL;
      case 1 -> KeyRange.from(a);
      default ->
          order == 0 ? KeyRange.single(a) : order < 0 ? KeyRange.of(a, b) : KeyRange.of(b, a);
    };
  }

  static EngineBatch batch(RandomGenerator random, long version) {
    List<VersionedWrite> writes = new ArrayList<>();
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      Bytes key = key(random);
      boolean again = writes.stream().anyMatch(write -> write.key().equals(key));
      if (!again) {
        writes.add(new VersionedWrite(key, new Position(version), mutation(random, version)));
      }
    }
    return new EngineBatch(
        writes, List.of(new MetadataEntry(SEQUENCE, Optional.of(Bytes.utf8("" + version)))));
  }

  private static Mutation mutation(RandomGenerator random, long version) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> Mutation.delete();
      case 2, 3 -> {
        AtomicOp op = random.nextInt(4) == 0 ? AtomicOp.MAX : AtomicOp.ADD;
        yield new Mutation.Operation(op, new WireWriter().i64(version).toBytes());
      }
      case 4 -> {
        Bytes element = Bytes.utf8("e" + random.nextInt(20));
        yield new Mutation.Operation(
            AtomicOp.APPEND_IF_ABSENT, new WireWriter().bytes(element).toBytes());
      }
      default -> new Mutation.Put(Bytes.utf8("x".repeat(random.nextInt(40)) + version));
    };
  }

  static ScanSpec spec(RandomGenerator random, Position at) {
    return new ScanSpec(
        interval(random),
        at,
        random.nextBoolean(),
        1 + random.nextInt(random.nextBoolean() ? 4 : 100),
        1 + random.nextInt(random.nextBoolean() ? 40 : 5000),
        random.nextInt(3) == 0);
  }

  static void checkRows(EngineModel model, ScanSpec spec, EngineResult.Rows rows) {
    List<Row> all = model.rows(spec.interval(), spec.at(), spec.reverse(), spec.keysOnly());
    List<Row> expected = new ArrayList<>();
    int bytes = 0;
    for (Row row : all) {
      if (expected.size() == spec.recordsMax() || bytes >= spec.bytesMax()) {
        break;
      }
      expected.add(row);
      bytes += row.key().length() + row.value().length();
    }
    assertEquals(expected, rows.rows(), spec::toString);
    boolean limited = expected.size() == spec.recordsMax() || bytes >= spec.bytesMax();
    assertTrue(rows.complete() ? expected.size() == all.size() : limited, spec::toString);
  }

  static void checkNewer(
      EngineModel model, KeyRange asked, Position above, Optional<EngineResult.KeyVersion> found) {
    found.ifPresent(
        newer -> {
          assertEquals(asked, newer.asked());
          assertTrue(asked.contains(newer.key()) && newer.version().isAfter(above));
          assertTrue(model.hasVersion(newer.key(), newer.version()), newer::toString);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  public void oneCallAtATimeAgreesWithTheModel(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    EngineDriver driver = new EngineDriver(this::open, this::advance);
    EngineModel model = new EngineModel();
    long version = 0;
    long floor = 0;
    long through = 0;
    for (int step = 0; step < 1200; step++) {
      Position at = new Position(random.nextLong(floor, version + 2));
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> {
          EngineBatch batch = batch(random, ++version);
          driver.apply(batch);
          model.apply(batch);
        }
        case 6, 7, 8, 9 -> {
          List<Bytes> keys = List.of(key(random), key(random), key(random));
          assertEquals(model.read(keys, at), driver.read(keys, at));
        }
        case 10, 11, 12, 13, 14 -> {
          ScanSpec spec = spec(random, at);
          checkRows(model, spec, driver.scan(spec));
        }
        case 15, 16 -> {
          KeyRange asked = interval(random);
          Optional<EngineResult.KeyVersion> found = driver.newest(List.of(), List.of(asked), at);
          assertEquals(model.hasNewer(asked, at), found.isPresent());
          checkNewer(model, asked, at, found);
        }
        case 17 -> {
          floor = random.nextLong(floor, version + 1);
          through = random.nextLong(Math.max(floor, through), version + 1);
          driver.fold(interval(random), floor, through);
        }
        case 18 -> {
          checkMiddle(driver, model, interval(random));
          checkSize(driver, model, interval(random));
        }
        default -> {
          if (random.nextInt(5) == 0) {
            KeyRange range = interval(random);
            driver.clear(range);
            model.clear(range);
          }
          assertEquals(model.metadata(), driver.metadata());
        }
      }
    }
    close(driver.engine());
  }

  static void checkMiddle(EngineDriver driver, EngineModel model, KeyRange interval) {
    List<Row> live = model.rows(interval, new Position(Long.MAX_VALUE), false, true);
    Optional<Bytes> middle = driver.middle(interval);
    assertEquals(live.size() >= 2, middle.isPresent());
    middle.ifPresent(
        key ->
            assertTrue(
                live.getFirst().key().compareTo(key) < 0
                    && key.compareTo(live.getLast().key()) <= 0));
  }

  /** Of few records the bytes are exact, of many an estimate. */
  static void checkSize(EngineDriver driver, EngineModel model, KeyRange interval) {
    EngineResult.Size expected = model.size(interval);
    EngineResult.Size size = driver.size(interval);
    assertEquals(expected.records(), size.records());
    if (expected.records() <= 30) {
      assertEquals(expected.bytes(), size.bytes());
    }
  }

  /** A call in flight and what its result must be, given the model at that later moment. */
  private record InFlight(long token, Consumer<EngineResult> check) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  public void readsAtDeliveredPositionsAreExactWhateverIsInFlight(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    EngineDriver driver = new EngineDriver(this::open, this::advance);
    EngineModel submitted = new EngineModel();
    EngineModel delivered = new EngineModel();
    List<InFlight> inFlight = new ArrayList<>();
    List<EngineBatch> batches = new ArrayList<>();
    long[] deliveredVersion = {0};
    long floor = 0;
    long through = 0;
    for (int step = 0; step < 3000; step++) {
      Position at = new Position(random.nextLong(floor, deliveredVersion[0] + 1));
      long token = driver.nextToken();
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> {
          EngineBatch batch = batch(random, batches.size() + 1);
          batches.add(batch);
          submitted.apply(batch);
          driver.engine().apply(token, batch);
          inFlight.add(
              new InFlight(
                  token,
                  result -> {
                    assertEquals(new EngineResult.Applied(), result);
                    delivered.apply(batches.get((int) deliveredVersion[0]++));
                  }));
        }
        case 4, 5 -> {
          List<Bytes> keys = List.of(key(random), key(random));
          EngineResult expected = new EngineResult.Found(delivered.read(keys, at));
          driver.engine().read(token, keys, at);
          inFlight.add(new InFlight(token, result -> assertEquals(expected, result)));
        }
        case 6, 7 -> {
          ScanSpec spec = spec(random, at);
          driver.engine().scan(token, spec);
          inFlight.add(
              new InFlight(
                  token, result -> checkRows(submitted, spec, (EngineResult.Rows) result)));
        }
        case 8 -> {
          KeyRange asked = interval(random);
          boolean surely = delivered.hasNewer(asked, at);
          driver.engine().newest(token, List.of(), List.of(asked), at);
          inFlight.add(
              new InFlight(
                  token,
                  result -> {
                    Optional<EngineResult.KeyVersion> found = ((EngineResult.Newer) result).first();
                    assertTrue(found.isPresent() || !surely);
                    checkNewer(submitted, asked, at, found);
                  }));
        }
        default -> {
          if (random.nextInt(4) == 0) {
            // No read is below the floor once folds have begun, so what is below drains first.
            inFlight.forEach(call -> call.check().accept(driver.await(call.token())));
            inFlight.clear();
            floor = at.value();
          }
          long least = Math.max(floor, through);
          through = random.nextBoolean() ? least : random.nextLong(least, deliveredVersion[0] + 1);
          driver.engine().fold(token, interval(random), new Position(floor), new Position(through));
          inFlight.add(new InFlight(token, result -> assertTrue(isFolded(result))));
        }
      }
      for (int deliver = random.nextInt(4); deliver > 0 && !inFlight.isEmpty(); deliver--) {
        settle(driver, inFlight, driver.deliverOne());
      }
    }
    while (!inFlight.isEmpty()) {
      settle(driver, inFlight, driver.deliverOne());
    }
    assertEquals(batches.size(), deliveredVersion[0]);
    close(driver.engine());
  }

  private static boolean isFolded(EngineResult result) {
    return result instanceof EngineResult.Folded;
  }

  private static void settle(EngineDriver driver, List<InFlight> inFlight, long token) {
    InFlight call =
        inFlight.stream().filter(each -> each.token() == token).findFirst().orElseThrow();
    inFlight.remove(call);
    call.check().accept(driver.await(token));
  }

  /**
   * A crash takes the window, and any part of what a fold had not made durable: of each key the row
   * is as of some position from folded to folding, and a replay from folded makes it whole.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  public void aCrashKeepsWhatWasFoldedAndAReplayMakesItWhole(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    EngineDriver driver = new EngineDriver(this::open, this::advance);
    List<EngineBatch> batches = new ArrayList<>();
    EngineModel model = new EngineModel();
    long folded = 0;
    long folding = 0;
    int between = 0;
    for (int life = 0; life < 14; life++) {
      for (int i = random.nextInt(60); i > 0; i--) {
        EngineBatch batch = writes(random, batches.size() + 1);
        batches.add(batch);
        model.apply(batch);
        driver.apply(batch);
        if (random.nextInt(15) == 0) {
          folding = random.nextLong(folding, batches.size() + 1);
          driver.fold(KeyRange.ALL, folding, folding);
          folded = folding;
          synced(driver.engine());
        }
      }
      if (random.nextInt(3) > 0) {
        folding = random.nextLong(folding, batches.size() + 1);
        long fold = driver.nextToken();
        driver.engine().fold(fold, KeyRange.ALL, new Position(folding), new Position(folding));
        for (int i = random.nextInt(25); i > 0; i--) {
          driver.metadata(); // Meanwhile some steps of the fold go on.
        }
      }
      crash(driver.engine(), random);
      driver.replace(open(driver));
      between += checkCrashed(driver, model, batches.size(), folded, folding);
      restore(driver.engine(), new Position(folded), new Position(folding));
      batches.forEach(driver::apply);
      for (long at = folding; at <= batches.size(); at += 1 + (batches.size() - folding) / 8) {
        checkAll(driver, model, new Position(at));
      }
      checkAll(driver, model, END);
    }
    assertTrue(between > 0, "no crash of this test came amid a fold: it shows nothing");
    close(driver.engine());
  }

  private static EngineBatch writes(RandomGenerator random, long version) {
    return new EngineBatch(batch(random, version).writes(), List.of());
  }

  private static void checkAll(EngineDriver driver, EngineModel model, Position at) {
    for (boolean reverse : new boolean[] {false, true}) {
      assertEquals(
          model.rows(KeyRange.ALL, at, reverse, false),
          driver.scanAll(KeyRange.ALL, at, reverse, false));
    }
  }

  /** Returns how many rows are not as of folded. */
  private static int checkCrashed(
      EngineDriver driver, EngineModel model, long end, long folded, long folding) {
    Map<Bytes, Row> rows = new HashMap<>();
    driver.scanAll(KeyRange.ALL, END, false, false).forEach(row -> rows.put(row.key(), row));
    TreeSet<Bytes> keys = new TreeSet<>(rows.keySet());
    for (long at = folded; at <= end; at++) {
      model.rows(KeyRange.ALL, new Position(at), false, true).forEach(row -> keys.add(row.key()));
    }
    int changed = 0;
    for (Bytes key : keys) {
      Optional<Row> found = Optional.ofNullable(rows.get(key));
      boolean known = false;
      for (long at = folded; at <= folding && !known; at++) {
        known = model.read(key, new Position(at)).equals(found);
      }
      assertTrue(known, () -> key + " is " + found + ", folded " + folded + ", to " + folding);
      changed += found.equals(model.read(key, new Position(folded))) ? 0 : 1;
    }
    return changed;
  }
}
