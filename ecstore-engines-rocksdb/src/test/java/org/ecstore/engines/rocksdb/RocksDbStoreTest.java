package org.ecstore.engines.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.HeldDirectory;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreDirectory;
import org.ecstore.engines.store.StoreException;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbStoreTest {
  private static final RocksDbSettings SETTINGS = RocksDbSettings.DEFAULT.withCacheBytes(8 << 20);

  @TempDir private Path directory;

  private static StoreBatch put(String key, Bytes value) {
    return new StoreBatch(
        List.of(new Row(Bytes.utf8(key), new Position(1), value)), List.of(), List.of());
  }

  private RocksDbStore open() {
    return RocksDbStore.open(directory, SETTINGS);
  }

  @Test
  void theKindIsFoundByItsName() {
    StoreKind kind =
        ServiceLoader.load(StoreKind.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("rocksdb"))
            .findFirst()
            .orElseThrow();
    try (OrderedStore store = kind.open(directory, EngineSettings.DEFAULT)) {
      assertTrue(store.profile().persists());
      assertEquals("rocksdb", store.profile().kind());
      assertEquals(2, store.profile().readRank());
    }
  }

  @Test
  void aDirectoryIsOfOneStoreAtATime() {
    try (OrderedStore store = open()) {
      assertThrows(EngineLockedException.class, this::open);
      store.write(put("a", Bytes.EMPTY));
    }
    open().close();
  }

  @Test
  void aDirectoryOfAnotherKindIsRefusedAndStaysAsItWas() {
    StoreDirectory.Format other = new StoreDirectory.Format("other", 1);
    HeldDirectory.take(directory, other).close();
    EngineOpenException refused = assertThrows(EngineOpenException.class, this::open);
    assertTrue(String.valueOf(refused.getMessage()).contains("other"), refused::getMessage);
    HeldDirectory.take(directory, other).close();
  }

  @Test
  void aStoreKeepsItsIdentity() {
    StoreDirectory.Format other = new StoreDirectory.Format("other", 1);
    HeldDirectory first = HeldDirectory.take(directory, other);
    first.close();
    try (HeldDirectory again = HeldDirectory.take(directory, other)) {
      assertEquals(first.identity(), again.identity());
    }
  }

  @Test
  void writesFailBeforeTheVolumeIsFullAndReadsAndDeletionsGoOn() {
    try (OrderedStore store = open()) {
      store.write(put("a", Bytes.utf8("kept")));
      store.sync();
    }
    RocksDbSettings tight = SETTINGS.withDiskFreeBytes(Long.MAX_VALUE);
    try (OrderedStore store = RocksDbStore.open(directory, tight)) {
      StoreException full =
          assertThrows(StoreException.class, () -> store.write(put("b", Bytes.EMPTY)));
      assertEquals(StoreException.Reason.NO_ROOM, full.reason());
      assertEquals(1, store.get(List.of(Bytes.utf8("a")), 100).size());
      store.clear(KeyRange.ALL);
      store.sync();
      assertEquals(0, store.size(KeyRange.ALL).records());
    }
  }

  @Test
  void aClosedStoreFailsEveryCall() {
    RocksDbStore store = open();
    store.close();
    store.close();
    assertThrows(StoreException.class, store::metadata);
    assertThrows(StoreException.class, store::sync);
    assertThrows(StoreException.class, () -> store.get(List.of(Bytes.EMPTY), 1));
  }

  /** Half of the rows have long values, which are in files of their own. */
  @Test
  void theSizeOfLongValuesIsAboutRight() {
    Random random = new Random(1);
    try (OrderedStore store = open()) {
      long bytes = 0;
      for (int i = 0; i < 60; i++) {
        List<Row> rows = new ArrayList<>();
        for (int j = 0; j < 10; j++) {
          byte[] value = new byte[j % 2 == 0 ? 40_000 : 100];
          random.nextBytes(value);
          rows.add(
              new Row(Bytes.utf8("k" + (10_000 + i * 10 + j)), new Position(1), Bytes.wrap(value)));
          bytes += 6 + value.length;
        }
        store.load(rows);
      }
      store.sync();
      long estimated = store.size(KeyRange.ALL).bytes();
      assertTrue(estimated > bytes / 2 && estimated < bytes * 2, estimated + " of " + bytes);
      Bytes middle = store.middle(KeyRange.ALL).orElseThrow();
      assertTrue(middle.compareTo(Bytes.utf8("k10150")) > 0, middle::toString);
      assertTrue(middle.compareTo(Bytes.utf8("k10450")) < 0, middle::toString);
      store.clear(KeyRange.from(Bytes.utf8("k10001")));
      assertEquals(40_006, store.size(KeyRange.ALL).bytes());
      assertEquals(Optional.empty(), store.middle(KeyRange.ALL));
    }
  }
}
