package org.ecstore.engines.je;

/**
 * Settings of a {@link JeOrderedStore}.
 *
 * @param cacheBytes the cache. Where several stores live in one process, the sum must leave room in
 *     the heap
 * @param logFileBytes the length of a log file
 * @param checkpointBytes log between checkpoints: fewer checkpoints cost less while running and
 *     more when a store opens after a crash (seconds for 200 MB)
 * @param diskFreeBytes writes fail, and reads go on, when less than this is free on the volume
 * @param diskBytesMax writes fail, and reads go on, when the log is longer; 0: no such limit
 */
public record JeSettings(
    long cacheBytes,
    long logFileBytes,
    long checkpointBytes,
    long diskFreeBytes,
    long diskBytesMax) {
  /** What a node uses if nothing else is said. */
  public static final JeSettings DEFAULT =
      new JeSettings(64L << 20, 100_000_000, 100_000_000, 256L << 20, 0);

  /** These, with a cache of so many bytes. */
  public JeSettings withCacheBytes(long bytes) {
    return new JeSettings(bytes, logFileBytes, checkpointBytes, diskFreeBytes, diskBytesMax);
  }

  /** These, with other lengths of the log. */
  public JeSettings withLog(long fileBytes, long betweenCheckpoints) {
    return new JeSettings(cacheBytes, fileBytes, betweenCheckpoints, diskFreeBytes, diskBytesMax);
  }

  /** These, with other limits of the disk. */
  public JeSettings withDisk(long freeBytes, long bytesMax) {
    return new JeSettings(cacheBytes, logFileBytes, checkpointBytes, freeBytes, bytesMax);
  }
}
