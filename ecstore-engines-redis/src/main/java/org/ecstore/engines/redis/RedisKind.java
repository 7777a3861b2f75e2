package org.ecstore.engines.redis;

import java.nio.file.Path;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;

/** A Redis server, by Lettuce. */
public final class RedisKind implements StoreKind {
  static final String NAME = "redis";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public OrderedStore open(Path directory, EngineSettings settings) {
    return RedisStore.open(
        directory,
        settings
            .server()
            .map(RedisSettings::of)
            .orElseThrow(
                () ->
                    new EngineOpenException(
                        directory,
                        "engine.url must say where the server is, as in"
                            + " \"redis://localhost:6379\"")));
  }
}
