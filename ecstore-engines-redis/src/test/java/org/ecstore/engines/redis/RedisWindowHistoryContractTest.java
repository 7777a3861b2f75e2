package org.ecstore.engines.redis;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.WindowHistoryContract;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(RedisUnderTest.LOCK)
final class RedisWindowHistoryContractTest extends WindowHistoryContract {
  private static int stores;

  @TempDir private Path directory;
  private final String name = "history_" + stores++;

  @Override
  protected OrderedStore store() {
    return RedisStore.open(directory, RedisUnderTest.settings(RedisUnderTest.get().url(), name));
  }
}
