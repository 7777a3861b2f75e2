package org.ecstore.engines.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.check.Check;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineDriver;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;

/** What the memory engine does beyond the contract: injected faults, lateness, determinism. */
final class MemoryEngineTest {
  private static final Bytes A = Bytes.utf8("a");
  private static final Bytes B = Bytes.utf8("b");

  private final RandomGenerator random = new SplittableRandom(5);
  private final MemoryDisk disk = new MemoryDisk();
  private final RandomCompletions completions = new RandomCompletions(random);
  private final EngineDriver driver =
      new EngineDriver(
          sink -> MemoryEngine.open(disk, random, completions, counting(sink)), this::advance);

  private long delivered;

  private Consumer<Event> counting(Consumer<Event> sink) {
    return event -> {
      delivered++;
      sink.accept(event);
    };
  }

  private void advance() {
    long before = delivered;
    completions.runUntil(() -> delivered > before);
  }

  private static EngineBatch batch(long version) {
    Optional<Bytes> value = Optional.of(Bytes.utf8("v" + version));
    return new EngineBatch(
        List.of(
            new VersionedWrite(A, new Position(version), value),
            new VersionedWrite(B, new Position(version), value)),
        List.of(new MetadataEntry(Bytes.utf8("n"), value)));
  }

  @Test
  void aFullDiskFailsBatchesWithoutEffectUntilThereIsRoom() {
    driver.apply(batch(1));
    disk.full(true);
    EngineResult.Failed failed =
        assertInstanceOf(EngineResult.Failed.class, driver.await(driver.submit(batch(2))));
    assertTrue(failed.outOfSpace());
    assertEquals(Optional.of("v1"), driver.read("a", 9));
    assertEquals(Optional.of(Bytes.utf8("v1")), driver.metadata().getFirst().value());
    disk.full(false);
    driver.apply(batch(2));
    assertEquals(Optional.of("v2"), driver.read("a", 9));
  }

  @Test
  void aBrokenDiskFailsReadsToo() {
    disk.broken(true);
    long token = driver.nextToken();
    driver.engine().read(token, List.of(A), new Position(1));
    assertEquals(new EngineResult.Failed(false, "the memory disk is broken"), driver.await(token));
    disk.broken(false);
    assertEquals(Optional.empty(), driver.read("a", 9));
  }

  @Test
  void nothingIsAnsweredWithinTheCall() {
    long batch = driver.submit(batch(1));
    long read = driver.nextToken();
    driver.engine().metadata(read);
    assertTrue(!driver.isDelivered(batch) && !driver.isDelivered(read));
    assertEquals(List.of(), driver.arrivals());
    driver.await(read);
    driver.await(batch);
  }

  @Test
  void aCrashedEngineFallsSilent() {
    List<Event> events = new ArrayList<>();
    MemoryDisk crashing = new MemoryDisk();
    MemoryEngine engine = MemoryEngine.open(crashing, random, completions, events::add);
    engine.apply(1, batch(1));
    engine.sync(2);
    engine.metadata(3);
    crashing.crash(random);
    completions.runAll();
    assertEquals(List.of(), events);
    assertThrows(Check.Failed.class, () -> engine.sync(4));
    MemoryEngine.open(crashing, random, completions, events::add).close();
  }

  @Test
  void aDiskCarriesOneEngine() {
    assertThrows(
        Check.Failed.class, () -> MemoryEngine.open(disk, random, completions, event -> {}));
  }

  @Test
  void readsSeeAnyPartOfABatchInFlight() {
    TreeSet<String> seen = new TreeSet<>();
    for (long version = 1; version <= 200; version++) {
      Position at = new Position(version);
      long read = driver.nextToken();
      long batch = driver.submit(batch(version));
      driver.engine().read(read, List.of(A, B), at);
      EngineResult.Found found = (EngineResult.Found) driver.await(read);
      seen.add(isAt(found.rows().get(0), at) + " " + isAt(found.rows().get(1), at));
      driver.await(batch);
    }
    assertEquals(4, seen.size(), seen::toString);
  }

  @Test
  void readsBelowTheFloorSeeAPruneInStepsHalfDone() {
    inSteps();
    TreeSet<String> seen = new TreeSet<>();
    for (long version = 1; version <= 400; version += 2) {
      Position at = new Position(version);
      driver.apply(batch(version));
      driver.apply(batch(version + 1));
      long prune = driver.nextToken();
      driver.engine().prune(prune, KeyRange.ALL, at.next(), Position.ZERO);
      long read = driver.nextToken();
      driver.engine().read(read, List.of(A, B), at);
      EngineResult.Found found = (EngineResult.Found) driver.await(read);
      seen.add(isAt(found.rows().get(0), at) + " " + isAt(found.rows().get(1), at));
      driver.await(prune);
      driver.prune(KeyRange.ALL, version + 1, 0);
    }
    assertEquals(4, seen.size(), seen::toString);
  }

  @Test
  void readsSeeAClearInStepsHalfDone() {
    inSteps();
    TreeSet<String> seen = new TreeSet<>();
    for (long version = 1; version <= 200; version++) {
      Position at = new Position(version);
      driver.apply(batch(version));
      long clear = driver.nextToken();
      driver.engine().clear(clear, KeyRange.ALL);
      long read = driver.nextToken();
      driver.engine().read(read, List.of(A, B), at);
      EngineResult.Found found = (EngineResult.Found) driver.await(read);
      seen.add(isAt(found.rows().get(0), at) + " " + isAt(found.rows().get(1), at));
      driver.await(clear);
      assertEquals(Optional.empty(), driver.read("a", version));
    }
    assertEquals(4, seen.size(), seen::toString);
  }

  private void inSteps() {
    ((MemoryEngine) driver.engine()).inSteps(new Steps(random, 0.5, completions));
  }

  private static boolean isAt(Optional<Row> row, Position version) {
    return row.isPresent() && row.get().version().equals(version);
  }

  @Test
  void theSameSeedGivesTheSameResultsInTheSameOrder() {
    assertEquals(history(3), history(3));
    assertTrue(!history(3).equals(history(4)), "the seed matters");
  }

  private static List<String> history(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    MemoryDisk disk = new MemoryDisk();
    List<String> events = new ArrayList<>();
    for (int life = 0; life < 5; life++) {
      RandomCompletions completions = new RandomCompletions(random);
      Engine engine =
          MemoryEngine.open(disk, random, completions, event -> events.add(event.toString()));
      for (int i = 0; i < 200; i++) {
        switch (random.nextInt(5)) {
          case 0, 1 -> engine.apply(i, batch(life * 1000L + i));
          case 2 -> engine.read(i, List.of(A, B), new Position(random.nextLong(5000)));
          case 3 -> engine.newest(i, List.of(), List.of(KeyRange.ALL), new Position(i));
          default -> engine.sync(i);
        }
        if (random.nextInt(3) > 0) {
          completions.runOne();
        }
      }
      disk.crash(random);
    }
    return events;
  }
}
