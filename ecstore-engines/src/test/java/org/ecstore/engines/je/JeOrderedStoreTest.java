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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.testing.Await;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.je.JeTesting.LogEnd;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.engines.store.StoreException;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can happen to a Berkeley DB store besides being called. */
public final class JeOrderedStoreTest {
  private static final int KILLS = 6;

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
  void itSaysHowOftenItsCacheHadWhatWasLookedUp() {
    List<Bytes> keys = new ArrayList<>();
    try (JeOrderedStore store = open()) {
      for (int i = 0; i < 200; i++) {
        put(store, "k" + i, i + 1, 1_000);
        keys.add(Bytes.utf8("k" + i));
      }
      CacheUse before = store.cacheUse().orElseThrow();
      store.get(keys, Integer.MAX_VALUE);
      CacheUse after = store.cacheUse().orElseThrow();
      assertTrue(after.lookups() >= before.lookups() + 200, () -> before + " " + after);
      assertTrue(after.misses() <= after.lookups(), after::toString);
    }
    JeOrderedStore opened = open();
    try (opened) {
      opened.get(keys, Integer.MAX_VALUE);
      CacheUse cold = opened.cacheUse().orElseThrow();
      opened.get(keys, Integer.MAX_VALUE);
      CacheUse warm = opened.cacheUse().orElseThrow();
      assertTrue(cold.misses() >= 200, () -> "all come from the disk first: " + cold);
      assertEquals(cold.misses(), warm.misses(), "and then none");
    }
    assertEquals(Optional.empty(), opened.cacheUse(), "of a closed one nothing is known");
  }

  @Test
  void aDirectoryOfAnEarlierReleaseIsRefusedAndStaysAsItIs() throws IOException {
    Path log = Files.writeString(directory.resolve("00000000.jdb"), "versions in keys");
    EngineOpenException refused = assertThrows(EngineOpenException.class, this::open);
    assertSays(refused, directory.toString(), "of an earlier release", "move the directory away");
    assertEquals(List.of(log), JeTesting.log(directory));
    assertEquals("versions in keys", Files.readString(log));
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
  @Timeout(60)
  void aSecondProcessIsRefused() throws IOException {
    try (StoreChild child = StoreChild.start(Opening.class, directory.toString(), 1)) {
      child.awaitWritten(1);
      EngineLockedException refused = assertThrows(EngineLockedException.class, this::open);
      assertSays(refused, directory.toString(), "in use by another process");
      child.awaitWritten(child.written() + 1);
    }
    open().close();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsSaidSo() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    EngineOpenException refused =
        assertThrows(
            EngineOpenException.class, () -> JeOrderedStore.open(file, JeTesting.SETTINGS));
    assertSays(refused, file.toString());
    assertEquals(file, refused.directory());
  }

  // Kills and damage.

  /** What the child opens. */
  public static final class Opening implements StoreChild.Opening {
    @Override
    public OrderedStore open(String place) {
      return JeOrderedStore.open(Path.of(place), JeTesting.SETTINGS);
    }
  }

  @Test
  @Tag("slow")
  @Timeout(120)
  void aKilledProcessLeavesAllThatItSaidItHadWritten() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long kept = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      StoreChild child = StoreChild.start(Opening.class, directory.toString(), kept + 1);
      try (child) {
        child.awaitWritten(kept + random.nextInt(1, 2000));
      }
      JeOrderedStore store = open();
      kept = StoreChild.sequence(store);
      // The operating system lives on, so that nothing written is lost, synced or not.
      assertTrue(kept >= child.written(), kept + " of " + child.written());
      assertEquals(
          StoreChild.rows(kept),
          store
              .scan(
                  KeyRange.ALL, new ScanBounds(false, Integer.MAX_VALUE, Integer.MAX_VALUE, false))
              .rows());
      store.close();
    }
  }

  private static void overwrite(Path file, long from, long to) throws IOException {
    byte[] garbage = new byte[(int) (to - from)];
    new Random(1).nextBytes(garbage);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(garbage), from);
    }
  }

  /** Every place is tried: a damaged log is refused, or the damage was of no consequence. */
  @Test
  void aDamagedLogIsNeverOpenedWithALoss() throws IOException {
    JeOrderedStore store = open();
    for (int i = 1; i <= 30; i++) {
      put(store, "k" + (100 + i), i, 1);
    }
    store.sync();
    List<Long> all = versions(store);
    Path crashed = directory.resolve("crashed");
    JeTesting.copy(directory, crashed);
    store.close();
    int refusals = 0;
    long length = JeTesting.end(crashed).offset();
    for (long from = 0; from < length; from += 97) {
      Path damaged = directory.resolve("damaged" + from);
      JeTesting.copy(crashed, damaged);
      overwrite(JeTesting.log(damaged).getLast(), from, Math.min(length, from + 8));
      try {
        JeOrderedStore again = JeOrderedStore.open(damaged, JeTesting.SETTINGS);
        assertEquals(all, versions(again), "damage at " + from);
        again.close();
      } catch (EngineOpenException e) {
        assertSays(e, damaged.toString());
        refusals++;
      }
    }
    assertTrue(refusals > length / 97 / 4, "refused only " + refusals);
  }

  @Test
  void aLogThatEndsBeforeWhatWasSyncedIsRefused() {
    JeOrderedStore store = open();
    put(store, "a", 1, 0);
    store.sync();
    LogEnd early = JeTesting.end(directory);
    put(store, "a", 2, 0);
    store.sync();
    Path crashed = directory.resolve("crashed");
    JeTesting.copy(directory, crashed);
    store.close();
    JeTesting.cut(crashed, early);
    EngineOpenException refused =
        assertThrows(
            EngineOpenException.class, () -> JeOrderedStore.open(crashed, JeTesting.SETTINGS));
    assertSays(refused, crashed.toString(), "damaged", "restore the directory");
  }

  private static long fsyncs(JeOrderedStore store) {
    return store.environment().environment().getStats(null).getNLogFSyncs();
  }

  @Test
  void onlyASyncWaitsForTheDisk() {
    JeOrderedStore store = open();
    long before = fsyncs(store);
    for (int i = 1; i <= 100; i++) {
      put(store, "a", i, 1);
    }
    assertEquals(before, fsyncs(store), "writes are not synced");
    store.sync();
    assertEquals(before + 1, fsyncs(store), "a sync is");
    store.close();
  }

  // No room, and I/O errors.

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
