package org.ecstore.engines;

import java.util.Optional;
import org.ecstore.check.Check;

/**
 * What a node says of its engine, of whatever kind.
 *
 * @param kind its name, see {@code engine.kind}
 * @param cacheBytes the cache in this process. Where several engines live in one process, the sum
 *     must leave room in the heap
 * @param windowBytesMax how much memory versions may take that are not in the store yet; well
 *     before that they go there, with it votes are refused
 * @param server of a kind that keeps its data on one
 */
public record EngineSettings(
    String kind, long cacheBytes, long windowBytesMax, Optional<EngineServer> server) {
  /** The kind that a node uses if nothing else is said. */
  public static final String DEFAULT_KIND = "je";

  /** What a node uses if nothing else is said. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(DEFAULT_KIND, 64L << 20, 256L << 20, Optional.empty());

  public EngineSettings {
    Check.that(cacheBytes > 0 && windowBytesMax > 0, "sizes are positive");
  }

  /** These, for another kind. */
  public EngineSettings withKind(String other) {
    return new EngineSettings(other, cacheBytes, windowBytesMax, server);
  }

  /** These, with a cache of so many bytes. */
  public EngineSettings withCacheBytes(long bytes) {
    return new EngineSettings(kind, bytes, windowBytesMax, server);
  }

  /** These, with a window of so many bytes. */
  public EngineSettings withWindowBytes(long bytesMax) {
    return new EngineSettings(kind, cacheBytes, bytesMax, server);
  }

  /** These, on a server. */
  public EngineSettings withServer(EngineServer other) {
    return new EngineSettings(kind, cacheBytes, windowBytesMax, Optional.of(other));
  }
}
