package org.ecstore.engines.memory;

import java.util.random.RandomGenerator;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;

final class MemoryStoreContractTest extends OrderedStoreContract {
  private final MemoryStore store = new MemoryStore();

  @Override
  protected OrderedStore open() {
    return store;
  }

  @Override
  protected void crash(OrderedStore crashing, RandomGenerator random) {
    store.crash(random);
  }
}
