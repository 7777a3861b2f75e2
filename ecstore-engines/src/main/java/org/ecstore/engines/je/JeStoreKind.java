package org.ecstore.engines.je;

import java.nio.file.Path;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.model.EngineTraits;

/** Berkeley DB Java Edition, within the node's process. */
public final class JeStoreKind implements StoreKind {
  @Override
  public String name() {
    return JeOrderedStore.TRAITS.kind();
  }

  @Override
  public EngineTraits traits() {
    return JeOrderedStore.TRAITS;
  }

  @Override
  public OrderedStore open(Path directory, EngineSettings settings) {
    return JeOrderedStore.open(directory, JeSettings.DEFAULT.withCacheBytes(settings.cacheBytes()));
  }
}
