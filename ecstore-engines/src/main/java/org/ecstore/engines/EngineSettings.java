package org.ecstore.engines;

import org.ecstore.check.Check;

/**
 * What a node says of its engine, of whatever kind.
 *
 * @param kind its name, see {@link EngineKinds}
 * @param cacheBytes the cache in this process. Where several engines live in one process, the sum
 *     must leave room in the heap
 * @param batchBytesMax keys and values in batches waiting; more fail, but one batch is always taken
 */
public record EngineSettings(String kind, long cacheBytes, long batchBytesMax) {
  /** The kind that a node uses if nothing else is said. */
  public static final String DEFAULT_KIND = "je";

  /** What a node uses if nothing else is said. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(DEFAULT_KIND, 64L << 20, 256L << 20);

  public EngineSettings {
    Check.that(cacheBytes > 0 && batchBytesMax > 0, "sizes are positive");
  }

  /** These, for another kind. */
  public EngineSettings withKind(String other) {
    return new EngineSettings(other, cacheBytes, batchBytesMax);
  }

  /** These, with a cache of so many bytes. */
  public EngineSettings withCacheBytes(long bytes) {
    return new EngineSettings(kind, bytes, batchBytesMax);
  }

  /** These, with no more bytes in batches that wait than so many. */
  public EngineSettings withBatchBytes(long bytesMax) {
    return new EngineSettings(kind, cacheBytes, Math.min(batchBytesMax, bytesMax));
  }
}
