package org.ecstore.engines.je;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineKind;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;

/** Berkeley DB Java Edition, within the node's process. */
public final class JeKind implements EngineKind {
  @Override
  public String name() {
    return "je";
  }

  @Override
  public OpenEngine open(
      Path directory, EngineSettings settings, Consumer<Event> results, BooleanSupplier room) {
    JeSettings own =
        JeSettings.DEFAULT
            .withCacheBytes(settings.cacheBytes())
            .withBatchBytes(settings.batchBytesMax());
    return JeEngine.open(directory, own, results, room);
  }
}
