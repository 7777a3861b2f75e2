package org.ecstore.engines.rocksdb;

import org.ecstore.check.Check;

/**
 * Settings of a {@link RocksDbStore}.
 *
 * @param cacheBytes blocks in memory and rows that are not in files yet; not of the heap
 * @param writeBufferBytes rows in memory after which a file of them is begun
 * @param diskFreeBytes writes fail, and reads go on, when less than this is free on the volume
 */
public record RocksDbSettings(long cacheBytes, long writeBufferBytes, long diskFreeBytes) {
  /** What a node uses if nothing else is said. */
  public static final RocksDbSettings DEFAULT =
      new RocksDbSettings(64L << 20, 16L << 20, 256L << 20);

  private static final long WRITE_BUFFER_BYTES_MAX = 64L << 20;

  public RocksDbSettings {
    Check.that(cacheBytes > 0 && writeBufferBytes > 0 && diskFreeBytes >= 0, "sizes are positive");
  }

  /** These, with a cache of so many bytes, a quarter of which a write buffer may take. */
  public RocksDbSettings withCacheBytes(long bytes) {
    return new RocksDbSettings(
        bytes, Math.clamp(bytes / 4, 1L << 20, WRITE_BUFFER_BYTES_MAX), diskFreeBytes);
  }

  /** These, with so much of the volume left free. */
  public RocksDbSettings withDiskFreeBytes(long bytes) {
    return new RocksDbSettings(cacheBytes, writeBufferBytes, bytes);
  }
}
