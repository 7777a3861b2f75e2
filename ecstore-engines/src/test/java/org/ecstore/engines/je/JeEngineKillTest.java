package org.ecstore.engines.je;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineDriver;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process killed in the midst of its writes. */
final class JeEngineKillTest {
  private static final int KILLS = 6;

  @TempDir private Path directory;

  @Test
  @Timeout(120)
  void aKilledProcessLeavesAPrefixOfItsBatches() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    long kept = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      JeChild child = JeChild.start(directory, kept + 1);
      try (child) {
        child.awaitDelivered(kept + random.nextInt(1, 2000));
      }
      EngineDriver driver =
          new EngineDriver(sink -> JeEngine.open(directory, JeTesting.SETTINGS, sink), () -> {});
      kept = JeChild.sequence(driver);
      // The operating system lives on, so that nothing delivered is lost, synced or not.
      assertTrue(kept >= child.delivered() && kept >= child.synced() && child.delivered() > 0);
      check(driver, kept);
      ((JeEngine) driver.engine()).close();
    }
  }

  private static void check(EngineDriver driver, long last) {
    NavigableMap<Bytes, VersionedWrite> newest = new TreeMap<>();
    for (long version = 1; version <= last; version++) {
      for (VersionedWrite write : JeChild.batch(version).writes()) {
        newest.put(write.key(), write);
      }
    }
    List<Row> expected =
        newest.entrySet().stream()
            .map(Map.Entry::getValue)
            .filter(write -> write.value().isPresent())
            .map(write -> new Row(write.key(), write.version(), write.value().get()))
            .toList();
    assertEquals(expected, driver.scanAll(KeyRange.ALL, new Position(last), false, false));
    assertEquals(
        Optional.empty(),
        driver.newest(List.of(), List.of(KeyRange.ALL), new Position(last)),
        "no part of a later batch");
  }
}
