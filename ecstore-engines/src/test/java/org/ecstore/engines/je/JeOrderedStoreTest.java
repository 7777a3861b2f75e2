package org.ecstore.engines.je;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentMutableConfig;
import com.sleepycat.je.LogWriteException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.testing.Await;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.je.JeTesting.LogEnd;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreException;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JeOrderedStoreTest {
  @TempDir private Path directory;

  private JeOrderedStore open() {
    return JeOrderedStore.open(directory, JeTesting.SETTINGS);
  }

  private static void put(JeOrderedStore store, String key, long version, int bytes) {
    Row row = new Row(Bytes.utf8(key), new Position(version), Bytes.wrap(new byte[bytes]));
    store.write(new StoreBatch(List.of(row), List.of(), List.of()));
  }

  private static List<Row> rows(JeOrderedStore store) {
    EngineResult.Rows rows =
        store.scan(KeyRange.ALL, new ScanBounds(false, Integer.MAX_VALUE, Integer.MAX_VALUE, true));
    return rows.rows();
  }

  private static List<Long> versions(JeOrderedStore store) {
    return rows(store).stream().map(row -> row.version().value()).toList();
  }

  /** What Berkeley DB does itself when the operating system refuses a write. */
  private static void breakEnvironment(JeOrderedStore store) {
    LogWriteException thrown =
        new LogWriteException(
            DbInternal.getNonNullEnvImpl(store.environment().environment()),
            new IOException("No space left on device"));
    assertFalse(store.environment().isValid(), thrown::getMessage);
  }

  private static void assertSays(Exception refused, String... parts) {
    String message = String.valueOf(refused.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void aDirectoryOfTheEngineThatKeptVersionsIsRefusedAndStaysAsItIs() {
    JeEngine.open(directory, JeTesting.SETTINGS, event -> {}).close();
    LogEnd before = JeTesting.end(directory);
    EngineOpenException refused = assertThrows(EngineOpenException.class, this::open);
    assertSays(refused, directory.toString(), "of an earlier release", "move the directory away");
    assertEquals(before, JeTesting.end(directory));
    JeEngine.open(directory, JeTesting.SETTINGS, event -> {}).close();
  }

  @Test
  void aDirectoryOfAnotherKindOrFormatIsRefused() throws IOException {
    for (String other : List.of("rocksdb 1", "je 3")) {
      Files.writeString(directory.resolve("engine"), other + "\n");
      EngineOpenException refused = assertThrows(EngineOpenException.class, this::open);
      assertSays(refused, "\"" + other + "\"", "\"je 2\"", "move the directory away");
    }
    Files.writeString(directory.resolve("engine"), "je 2\n");
    open().close();
  }

  @Test
  void aCrashBeforeADirectorySaidWhatItIsLeavesItEmpty() throws IOException {
    Files.writeString(directory.resolve("engine.new"), "j");
    open().close();
    assertEquals("je 2", Files.readString(directory.resolve("engine")).strip());
    open().close();
  }

  @Test
  void aSecondStoreOfThisProcessIsRefused() {
    JeOrderedStore store = open();
    EngineLockedException refused = assertThrows(EngineLockedException.class, this::open);
    assertSays(refused, directory.toString(), "in use by this process");
    store.close();
    store.close();
    open().close();
  }

  @Test
  void afterAnIoErrorItOpensAnewAndKnowsAllThatWasDone() {
    JeOrderedStore store = open();
    put(store, "a", 1, 0);
    store.sync();
    put(store, "b", 2, 0);
    breakEnvironment(store);
    assertEquals(List.of(1L, 2L), versions(store));
    put(store, "c", 3, 0);
    assertEquals(List.of(1L, 2L, 3L), versions(store));
    store.close();
  }

  @Test
  void aStoreThatLostWhatWasDoneSaysSoInEveryCallUntilItIsRestarted() {
    JeOrderedStore store = open();
    put(store, "a", 1, 0);
    store.sync();
    LogEnd synced = JeTesting.end(directory);
    put(store, "a", 2, 0);
    breakEnvironment(store);
    JeTesting.cut(directory, synced);
    for (int i = 0; i < 3; i++) {
      StoreException read = assertThrows(StoreException.class, () -> rows(store));
      StoreException write = assertThrows(StoreException.class, () -> put(store, "a", 3, 0));
      assertEquals(StoreException.Reason.LOST, read.reason());
      assertEquals(StoreException.Reason.LOST, write.reason());
      assertSays(write, "lost 1 transactions", "restart the node");
    }
    store.close();
    JeOrderedStore restarted = open();
    assertEquals(List.of(1L), versions(restarted));
    restarted.close();
  }

  private static boolean hasRoom(Runnable write) {
    try {
      write.run();
      return true;
    } catch (StoreException e) {
      assertEquals(StoreException.Reason.NO_ROOM, e.reason());
      return false;
    }
  }

  @Test
  void withoutRoomWritesFailAndReadsGoOnUntilThereIsRoom() {
    JeOrderedStore store =
        JeOrderedStore.open(directory, JeTesting.SETTINGS.withDisk(1 << 20, 8_000_000));
    int written = 0;
    StoreException full = null;
    while (full == null && written < 1_000) {
      try {
        put(store, "k" + (1_000 + written), written, 100_000);
        written++;
      } catch (StoreException e) {
        full = e;
      }
    }
    assertEquals(StoreException.Reason.NO_ROOM, full == null ? null : full.reason());
    assertEquals(written, rows(store).size(), "all that were done, and no other");
    EnvironmentMutableConfig room = store.environment().environment().getMutableConfig();
    room.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    store.environment().environment().setMutableConfig(room);
    // Its daemons find out in their time that there is room.
    int more = written;
    Await.until("room", () -> hasRoom(() -> put(store, "k" + (1_000 + more), more, 100_000)));
    store.close();
    JeOrderedStore reopened = open();
    assertEquals(written + 1, rows(reopened).size());
    reopened.close();
  }
}
