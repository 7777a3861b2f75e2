package org.ecstore.engines.redis;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(RedisUnderTest.LOCK)
final class RedisStoreContractTest extends OrderedStoreContract {
  private static int stores;

  @TempDir private Path directory;
  private final String name = "suite_" + stores++;

  @Override
  protected OrderedStore open() {
    return RedisStore.open(directory, RedisUnderTest.settings(RedisUnderTest.get().url(), name));
  }

  /** The server goes on when the node's process ends, and has each call as a whole. */
  @Override
  protected boolean crashes() {
    return false;
  }
}
