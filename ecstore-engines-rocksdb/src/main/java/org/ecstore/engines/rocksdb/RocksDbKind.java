package org.ecstore.engines.rocksdb;

import java.nio.file.Path;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.model.EngineTraits;

/** RocksDB, within the node's process. */
public final class RocksDbKind implements StoreKind {
  static final String NAME = "rocksdb";
  static final EngineTraits TRAITS = new EngineTraits(NAME, true, false, false, true);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EngineTraits traits() {
    return TRAITS;
  }

  @Override
  public OrderedStore open(Path directory, EngineSettings settings) {
    return RocksDbStore.open(
        directory, RocksDbSettings.DEFAULT.withCacheBytes(settings.cacheBytes()));
  }
}
