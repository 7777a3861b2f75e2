package org.ecstore.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.engines.store.StoreException;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store against a server that is restarted, flushed, put back, stopped and full. */
@ResourceLock(RedisUnderTest.LOCK)
public final class RedisServedTest extends ServedStoreContract {
  private final RedisUnderTest database = RedisUnderTest.get();

  /** How a store on it is opened. */
  public static final class Opening extends ServedStoreContract.Opening {
    @Override
    protected OrderedStore open(Path directory, String url, String store) {
      return RedisStore.open(directory, RedisUnderTest.hasty(url, store));
    }
  }

  RedisServedTest() {
    super(RedisUnderTest.get(), new Opening());
  }

  @Test
  @Timeout(60)
  void aServerThatWasRestartedNeverAnswersAsIfItWereEmpty() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.kill();
      assertFoundLost(store);
    }
    try (OrderedStore store = open(directory(), name)) {
      assertEquals(List.of(), rows(store));
      store.write(put("a", 2, "filled again"));
      assertEquals(1, rows(store).size());
    }
  }

  @Test
  void aServerThatWasFlushedNeverAnswersAsIfItWereEmpty() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.flushall());
      assertLost(store);
    }
  }

  @Test
  void aServerThatDroppedOneOfItsKeysIsFoundOut() {
    for (String part : List.of("rows", "keys")) {
      try (OrderedStore store = open(directory(), name)) {
        store.write(put("a", 1, "x"));
        database.asOperator(commands -> commands.del("ecstore:{" + name + "}:" + part));
        assertLost(store);
      }
    }
  }

  /** With the same token, but what was written since is not there. */
  @Test
  @Timeout(60)
  void aServerThatWasPutBackToAnOlderDumpIsFoundOut() throws Exception {
    Path dump = database.server.home().resolve("dump.rdb");
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "old"));
      database.asOperator(commands -> commands.save());
      Path kept = Files.copy(dump, directory().resolve("dump.kept"));
      store.write(put("a", 2, "new"));
      Files.copy(kept, dump, StandardCopyOption.REPLACE_EXISTING);
      database.kill();
      assertFoundLost(store);
    } finally {
      Files.deleteIfExists(dump);
      database.asOperator(commands -> commands.flushall());
    }
  }

  @Test
  @Timeout(60)
  void aServerKilledInMidWriteIsLostToItsWriter() throws Exception {
    try (StoreChild child = child(1)) {
      child.awaitWritten(50);
      database.kill();
      child.awaitEnd();
      assertFalse(child.failure().isEmpty());
    }
  }

  @Test
  @Timeout(60)
  void aKilledProcessLeavesAPrefixOfItsBatches() throws Exception {
    StoreChild child = child(1);
    try (child) {
      child.awaitWritten(200);
    }
    try (OrderedStore store = open(directory(), name)) {
      long kept = StoreChild.sequence(store);
      assertTrue(kept >= child.written(), kept + " of " + child.written());
      assertEquals(StoreChild.rows(kept), rows(store));
    }
  }

  @Test
  void aServerThatDropsRowsWhenItIsFullIsRefused() {
    database.asOperator(commands -> commands.configSet("maxmemory-policy", "allkeys-lru"));
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(String.valueOf(refused.getMessage()).contains("noeviction"), refused::getMessage);
    } finally {
      database.asOperator(commands -> commands.configSet("maxmemory-policy", "noeviction"));
    }
    open(directory(), name).close();
  }

  @Test
  void aFullServerSaysSoTakesDeletionsAndGoesOnWhenThereIsRoom() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.configSet("maxmemory", "24mb"));
      StoreException.Reason why = null;
      for (int i = 0; why == null; i++) {
        assertTrue(i < 100, "it is never full");
        List<Row> rows = new ArrayList<>();
        for (int j = 0; j < 20; j++) {
          Bytes key = Bytes.utf8("k" + i + "." + j);
          rows.add(new Row(key, new Position(1), Bytes.wrap(new byte[100_000])));
        }
        try {
          store.write(new StoreBatch(rows, List.of(), List.of()));
        } catch (StoreException e) {
          why = e.reason();
        }
      }
      assertEquals(StoreException.Reason.NO_ROOM, why);
      assertEquals("x", rows(store).getFirst().value().toUtf8());
      store.sync();
      store.write(new StoreBatch(List.of(), List.of(Bytes.utf8("none")), List.of()));
      store.clear(KeyRange.from(Bytes.utf8("k")));
      writeAgain(store, put("b", 1, "fits"));
      assertEquals(2, rows(store).size());
    } finally {
      database.asOperator(commands -> commands.configSet("maxmemory", "0"));
    }
  }

  @Test
  void scriptsThatTheServerForgotAreToldAgain() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.scriptFlush());
      assertEquals(1, rows(store).size());
      store.write(put("b", 1, "x"));
    }
  }
}
