package org.ecstore.engines;

import java.util.List;
import org.ecstore.core.port.Engine;

/** An engine that was opened on a directory, and is closed by the one that opened it. */
public interface OpenEngine extends Engine, AutoCloseable {
  /**
   * All metadata, as {@link #metadata} gives them. Blocks: for one that looks before the engine is
   * used.
   *
   * @throws EngineOpenException if they cannot be read
   */
  List<MetadataEntry> metadataNow();

  /** Completes what was submitted, makes it durable and closes. Calls from then on fail. */
  @Override
  void close();
}
