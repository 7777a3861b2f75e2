package org.ecstore.engines.je;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentMutableConfig;
import com.sleepycat.je.LogWriteException;
import com.sleepycat.je.dbi.EnvironmentImpl;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineDriver;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.je.JeTesting.LogEnd;
import org.ecstore.engines.window.ReadThreads;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can happen to a Berkeley DB engine besides being called. */
final class JeEngineTest {
  @TempDir private Path directory;

  private EngineDriver open(JeSettings settings) {
    return new EngineDriver(sink -> JeEngine.open(directory, settings, sink), () -> {});
  }

  private EngineDriver open() {
    return open(JeTesting.SETTINGS);
  }

  private static void close(EngineDriver driver) {
    ((JeEngine) driver.engine()).close();
  }

  private static JeStore store(EngineDriver driver) {
    return ((JeEngine) driver.engine()).access().store();
  }

  private static EngineBatch big(long version) {
    byte[] value = new byte[100_000];
    new Random(version).nextBytes(value);
    return new EngineBatch(
        List.of(
            new VersionedWrite(
                Bytes.utf8("k" + version), new Position(version), Optional.of(Bytes.wrap(value)))),
        List.of());
  }

  private static EngineResult.Failed failed(EngineDriver driver, EngineBatch batch) {
    return assertInstanceOf(EngineResult.Failed.class, driver.await(driver.submit(batch)));
  }

  private static void assertSays(Exception refused, String... parts) {
    String message = String.valueOf(refused.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  // The directory.

  @Test
  void aSecondEngineOfThisProcessIsRefused() {
    EngineDriver driver = open();
    EngineLockedException refused = assertThrows(EngineLockedException.class, this::open);
    assertSays(refused, directory.toString(), "in use by this process");
    driver.put("a", 1, "still works");
    close(driver);
    close(open());
  }

  @Test
  @Timeout(60)
  void aSecondProcessIsRefused() throws Exception {
    try (JeChild child = JeChild.start(directory, 1)) {
      child.awaitDelivered(1);
      EngineLockedException refused = assertThrows(EngineLockedException.class, this::open);
      assertSays(refused, directory.toString(), "in use by another process");
      child.awaitDelivered(child.delivered() + 1);
    }
    close(open());
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsSaidSo() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    EngineOpenException refused =
        assertThrows(
            EngineOpenException.class, () -> JeEngine.open(file, JeTesting.SETTINGS, event -> {}));
    assertSays(refused, file.toString());
    assertEquals(file, refused.directory());
  }

  // Damage.

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
    EngineDriver driver = open();
    for (int i = 1; i <= 30; i++) {
      driver.put("k" + i, i, "v" + i);
    }
    driver.sync();
    Path crashed = directory.resolve("crashed");
    JeTesting.copy(directory, crashed);
    close(driver);
    int refusals = 0;
    long length = JeTesting.end(crashed).offset();
    for (long from = 0; from < length; from += 97) {
      Path damaged = directory.resolve("damaged" + from);
      JeTesting.copy(crashed, damaged);
      overwrite(JeTesting.log(damaged).getLast(), from, Math.min(length, from + 8));
      try {
        EngineDriver again =
            new EngineDriver(sink -> JeEngine.open(damaged, JeTesting.SETTINGS, sink), () -> {});
        for (int i = 1; i <= 30; i++) {
          assertEquals(Optional.of("v" + i), again.read("k" + i, i), "damage at " + from);
        }
        close(again);
      } catch (EngineOpenException e) {
        assertSays(e, damaged.toString());
        refusals++;
      }
    }
    assertTrue(refusals > length / 97 / 4, "refused only " + refusals);
  }

  @Test
  void aLogThatEndsBeforeWhatWasSyncedIsRefused() {
    EngineDriver driver = open();
    driver.put("a", 1, "one");
    driver.sync();
    LogEnd early = JeTesting.end(directory);
    driver.put("a", 2, "two");
    driver.sync();
    Path crashed = directory.resolve("crashed");
    JeTesting.copy(directory, crashed);
    close(driver);
    JeTesting.cut(crashed, early);
    EngineOpenException refused =
        assertThrows(
            EngineOpenException.class,
            () -> JeEngine.open(crashed, JeTesting.SETTINGS, event -> {}));
    assertSays(refused, crashed.toString(), "damaged", "restore the directory");
  }

  // No room, and I/O errors.

  @Test
  @Timeout(60)
  void withoutRoomBatchesFailAndReadsGoOnUntilThereIsRoom() {
    EngineDriver driver = open(JeTesting.SETTINGS.withDisk(1 << 20, 8_000_000));
    long version = 1;
    EngineResult result = driver.await(driver.submit(big(version)));
    while (result instanceof EngineResult.Applied && version < 1000) {
      result = driver.await(driver.submit(big(++version)));
    }
    EngineResult.Failed failed = assertInstanceOf(EngineResult.Failed.class, result);
    assertTrue(failed.outOfSpace(), failed::detail);
    assertTrue(failed.detail().contains(directory.toString()), failed::detail);
    assertEquals(version - 1, count(driver), "all that were applied, and no other");
    EnvironmentMutableConfig room = store(driver).environment().getMutableConfig();
    room.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    store(driver).environment().setMutableConfig(room);
    while (driver.await(driver.submit(big(version))) instanceof EngineResult.Failed again) {
      assertTrue(again.outOfSpace(), again::detail);
    }
    assertEquals(version, count(driver));
    driver.sync();
    close(driver);
    EngineDriver reopened = open();
    assertEquals(version, count(reopened));
    close(reopened);
  }

  private static long count(EngineDriver driver) {
    return driver.scanAll(KeyRange.ALL, new Position(Long.MAX_VALUE), false, true).size();
  }

  /** What Berkeley DB does itself when the operating system refuses a write. */
  private static void breakEnvironment(EngineDriver driver) {
    EnvironmentImpl environment = DbInternal.getNonNullEnvImpl(store(driver).environment());
    LogWriteException thrown =
        new LogWriteException(environment, new IOException("No space left on device"));
    assertFalse(store(driver).isValid(), thrown::getMessage);
  }

  @Test
  void afterAnIoErrorTheEngineOpensAnewAndKnowsAllThatWasDelivered() {
    EngineDriver driver = open();
    driver.put("a", 1, "synced");
    driver.sync();
    driver.put("a", 2, "delivered");
    breakEnvironment(driver);
    long token = driver.nextToken();
    driver.engine().metadata(token);
    assertInstanceOf(EngineResult.Failed.class, driver.await(token));
    // The failed read has told the writer; a change comes after that in any case.
    driver.put("a", 3, "after");
    assertEquals(Optional.of("delivered"), driver.read("a", 2));
    assertEquals(Optional.of("after"), driver.read("a", 3));
    close(driver);
  }

  @Test
  void anEngineThatLostWhatWasDeliveredFailsUntilItIsRestarted() {
    EngineDriver driver = open();
    driver.put("a", 1, "synced");
    driver.sync();
    LogEnd synced = JeTesting.end(directory);
    driver.put("a", 2, "delivered");
    breakEnvironment(driver);
    JeTesting.cut(directory, synced);
    for (int i = 0; i < 3; i++) {
      EngineResult.Failed failed = failed(driver, big(3));
      assertFalse(failed.outOfSpace());
      assertTrue(failed.detail().contains("lost 1 transactions"), failed::detail);
    }
    close(driver);
    EngineDriver restarted = open();
    assertEquals(Optional.of("synced"), restarted.read("a", 9));
    close(restarted);
  }

  private static long fsyncs(EngineDriver driver) {
    return store(driver).environment().getStats(null).getNLogFSyncs();
  }

  @Test
  void onlyASyncWaitsForTheDisk() {
    EngineDriver driver = open();
    long before = fsyncs(driver);
    for (int i = 1; i <= 100; i++) {
      driver.put("a", i, "v" + i);
    }
    assertEquals(before, fsyncs(driver), "batches are not synced");
    driver.sync();
    assertEquals(before + 1, fsyncs(driver), "a sync is");
    close(driver);
  }

  // Bounds and the end.

  @Test
  void whatIsBeyondTheBoundsFailsAtOnce() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    List<Event.EngineDone> done = new CopyOnWriteArrayList<>();
    JeEngine engine =
        JeEngine.open(
            directory,
            JeTesting.SETTINGS.withReaders(1).withBounds(3, 100, 250_000),
            event -> {
              Event.EngineDone result = (Event.EngineDone) event;
              done.add(result);
              if (result.token() <= 2) {
                busy.countDown();
                awaitQuietly(go);
              }
            });
    engine.apply(1, new EngineBatch(List.of(), List.of()));
    engine.metadata(2);
    assertTrue(busy.await(60, TimeUnit.SECONDS));
    for (int i = 0; i < 4; i++) {
      engine.apply(10 + i, big(10 + i));
      engine.metadata(20 + i);
    }
    List<Long> refused =
        done.stream()
            .filter(each -> each.result() instanceof EngineResult.Failed)
            .map(Event.EngineDone::token)
            .toList();
    assertEquals(List.of(12L, 13L), refused);
    assertEquals(
        List.of(
            new Event.EngineDone(
                23L, new EngineResult.Overloaded("too many reads are waiting in the engine"))),
        done.stream().filter(each -> each.result() instanceof EngineResult.Overloaded).toList());
    go.countDown();
    engine.close();
    assertEquals(10, done.size());
  }

  /** Those behind them are done at once, and not after work that no caller waits for any more. */
  @Test
  void readsThatHaveWaitedTooLongAreRefusedWithoutBeingDone() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<Event.EngineDone> done = new CopyOnWriteArrayList<>();
    JeEngine engine =
        JeEngine.open(
            directory,
            JeTesting.SETTINGS.withReaders(1).withReadWait(1),
            event -> {
              Event.EngineDone result = (Event.EngineDone) event;
              done.add(result);
              if (result.token() == 1) {
                busy.countDown();
                awaitQuietly(go);
              }
            });
    engine.metadata(1);
    assertTrue(busy.await(60, TimeUnit.SECONDS));
    engine.metadata(2);
    engine.read(3, List.of(Bytes.utf8("a")), Position.ZERO);
    go.countDown();
    engine.close();
    EngineResult late = new EngineResult.Overloaded("it waited too long in the engine");
    assertEquals(
        List.of(new Event.EngineDone(2, late), new Event.EngineDone(3, late)), done.subList(1, 3));
  }

  /** A thread that had found nothing to do was handing over results meanwhile. */
  @Test
  void readsThatWereTakenJustBeforeTheEndAreDone() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<Long> done = new CopyOnWriteArrayList<>();
    ReadThreads threads =
        new ReadThreads(
            "reads-",
            1,
            10,
            TimeUnit.HOURS.toNanos(1),
            event -> {
              long token = ((Event.EngineDone) event).token();
              done.add(token);
              if (token == 1) {
                busy.countDown();
                awaitQuietly(go);
              }
            });
    assertTrue(threads.submit(readOf(1)));
    assertTrue(busy.await(60, TimeUnit.SECONDS));
    assertTrue(threads.submit(readOf(2)));
    Thread closer = Thread.ofPlatform().start(threads::stop);
    while (!threads.isStopping()) {
      Thread.onSpinWait();
    }
    go.countDown();
    closer.join();
    assertEquals(List.of(1L, 2L), done);
    assertFalse(threads.submit(readOf(3)));
  }

  private static ReadThreads.Read readOf(long token) {
    Event result = new Event.EngineDone(token, new EngineResult.Applied());
    return new ReadThreads.Read(false, System.nanoTime(), () -> result, () -> result);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void closingCompletesWhatWasSubmittedAndRefusesTheRest() {
    EngineDriver driver = open();
    long last = 0;
    for (int i = 1; i <= 500; i++) {
      last = driver.submit(big(i));
    }
    close(driver);
    assertEquals(new EngineResult.Applied(), driver.await(last));
    assertEquals("the engine is closed", failed(driver, big(501)).detail());
    long token = driver.nextToken();
    driver.engine().metadata(token);
    assertEquals(new EngineResult.Failed(false, "the engine is closed"), driver.await(token));
    EngineDriver again = open();
    assertEquals(500, count(again));
    close(again);
  }

  @Test
  void middleOfManyKeysIsSampled() {
    EngineDriver driver = open(JeTesting.SETTINGS.withCacheBytes(100 << 20));
    List<VersionedWrite> writes = new ArrayList<>();
    int keys = 40_000;
    for (int i = 0; i < keys; i++) {
      writes.add(
          new VersionedWrite(
              Bytes.of(i >> 16, i >> 8, i), new Position(1), Optional.of(Bytes.EMPTY)));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    for (int from : new int[] {0, 1000, 20_000}) {
      KeyRange range = KeyRange.from(Bytes.of(from >> 16, from >> 8, from));
      Bytes middle = driver.middle(range).orElseThrow();
      int at = (middle.at(0) & 0xff) << 16 | (middle.at(1) & 0xff) << 8 | (middle.at(2) & 0xff);
      int exact = (from + keys) / 2;
      assertTrue(Math.abs(at - exact) < 3000, () -> at + " is far from " + exact);
    }
    close(driver);
  }
}
