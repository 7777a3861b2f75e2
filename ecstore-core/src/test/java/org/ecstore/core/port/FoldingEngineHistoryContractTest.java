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
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of engines whose prune is a fold. */
public abstract class FoldingEngineHistoryContractTest extends EngineHistoryContractTest {
  private static final Position END = new Position(Long.MAX_VALUE);

  /**
   * Tells an engine that was opened again how far its store is.
   *
   * @param folded it has all through there
   * @param folding rows may be as of there
   */
  protected abstract void restore(Engine engine, Position folded, Position folding);

  @Override
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
          driver.prune(interval(random), floor, through);
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

  /**
   * A crash takes the window, and any part of what a fold had not made durable: of each key the row
   * is as of some position from folded to folding, and a replay from folded makes it whole.
   */
  @Override
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  public void aCrashKeepsWhatWasSyncedAndAPrefixOfTheRest(long seed) {
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
          driver.prune(KeyRange.ALL, folding, folding);
          folded = folding;
          synced(driver.engine());
        }
      }
      if (random.nextInt(3) > 0) {
        folding = random.nextLong(folding, batches.size() + 1);
        long fold = driver.nextToken();
        driver.engine().prune(fold, KeyRange.ALL, new Position(folding), new Position(folding));
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
