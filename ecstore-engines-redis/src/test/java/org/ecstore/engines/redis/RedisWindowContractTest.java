package org.ecstore.engines.redis;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.WindowContract;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(RedisUnderTest.LOCK)
final class RedisWindowContractTest extends WindowContract {
  private static int stores;

  @TempDir private Path directory;
  private final String name = "window_" + stores++;

  @Override
  protected OrderedStore store() {
    return RedisStore.open(directory, RedisUnderTest.settings(RedisUnderTest.get().url(), name));
  }
}
