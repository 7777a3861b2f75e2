package org.ecstore.engines.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process killed in the midst of its writes, with no log but what was brought to files. */
public final class RocksDbStoreKillTest {
  private static final int KILLS = 5;
  private static final ScanBounds WHOLE =
      new ScanBounds(false, Integer.MAX_VALUE, Integer.MAX_VALUE, false);

  @TempDir private Path directory;

  /** Write buffers of 64 KiB: files are begun between syncs too. */
  static OrderedStore open(String directory) {
    return RocksDbStore.open(Path.of(directory), new RocksDbSettings(8 << 20, 64 << 10, 1 << 20));
  }

  /** What the child opens. */
  public static final class Opening implements StoreChild.Opening {
    @Override
    public OrderedStore open(String place) {
      return RocksDbStoreKillTest.open(place);
    }
  }

  @Test
  @Timeout(120)
  void aKilledProcessLeavesAPrefixOfItsBatchesWithAllThatWasSynced() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    long kept = 0;
    long lost = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      StoreChild child = StoreChild.start(Opening.class, directory.toString(), kept + 1);
      try (child) {
        child.awaitWritten(kept + random.nextInt(1, 1500));
      }
      try (OrderedStore store = open(directory.toString())) {
        kept = StoreChild.sequence(store);
        assertTrue(kept >= child.synced(), kept + " of " + child.synced());
        assertEquals(StoreChild.rows(kept), store.scan(KeyRange.ALL, WHOLE).rows());
        lost += Math.max(0, child.written() - kept);
      }
    }
    assertTrue(lost > 0, "no kill took anything that was in memory only: it shows nothing");
  }
}
