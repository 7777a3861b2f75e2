package org.ecstore.engines.redis;

import java.nio.file.Path;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedKind;

/** A Redis server, by Lettuce. */
public final class RedisKind extends ServedKind {
  static final String NAME = "redis";

  /** The kind, as a service. */
  public RedisKind() {
    super(NAME, "redis://localhost:6379");
  }

  @Override
  public boolean persists() {
    return false;
  }

  @Override
  protected OrderedStore open(Path directory, EngineServer server) {
    return RedisStore.open(directory, RedisSettings.of(server));
  }
}
