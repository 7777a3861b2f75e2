package org.ecstore.engines.je;

/**
 * Settings of a {@link JeEngine}.
 *
 * @param cacheBytes the cache; 0: by {@code cachePercent}. Where several engines live in one
 *     process, the sum must leave room in the heap
 * @param cachePercent the cache in percent of the heap
 * @param logFileBytes the length of a log file
 * @param checkpointBytes log between checkpoints: fewer checkpoints cost less while running and
 *     more when a crashed engine opens (seconds for 200 MB)
 * @param diskFreeBytes writes fail, and reads go on, when less than this is free on the volume
 * @param diskBytesMax writes fail, and reads go on, when the log is longer; 0: no such limit
 * @param readers threads that read
 * @param readsMax reads waiting for a thread; more are refused as too much
 * @param readWaitNanos a read that has waited longer for a thread is refused as too much: its
 *     caller has waited long enough, and the reads behind it would wait longer still
 * @param batchesMax batches and other changes waiting; more fail
 * @param batchBytesMax keys and values in batches waiting; more fail, but one batch is always taken
 */
public record JeSettings(
    long cacheBytes,
    int cachePercent,
    long logFileBytes,
    long checkpointBytes,
    long diskFreeBytes,
    long diskBytesMax,
    int readers,
    int readsMax,
    long readWaitNanos,
    int batchesMax,
    long batchBytesMax) {
  /** What a node uses if nothing else is said. */
  public static final JeSettings DEFAULT =
      new JeSettings(
          0,
          20,
          100_000_000,
          100_000_000,
          256L << 20,
          0,
          4,
          16_384,
          1_000_000_000,
          16_384,
          256L << 20);

  /** These, with a cache of so many bytes. */
  public JeSettings withCacheBytes(long bytes) {
    return new JeSettings(
        bytes,
        cachePercent,
        logFileBytes,
        checkpointBytes,
        diskFreeBytes,
        diskBytesMax,
        readers,
        readsMax,
        readWaitNanos,
        batchesMax,
        batchBytesMax);
  }

  /** These, with other lengths of the log. */
  public JeSettings withLog(long fileBytes, long betweenCheckpoints) {
    return new JeSettings(
        cacheBytes,
        cachePercent,
        fileBytes,
        betweenCheckpoints,
        diskFreeBytes,
        diskBytesMax,
        readers,
        readsMax,
        readWaitNanos,
        batchesMax,
        batchBytesMax);
  }

  /** These, with other limits of the disk. */
  public JeSettings withDisk(long freeBytes, long bytesMax) {
    return new JeSettings(
        cacheBytes,
        cachePercent,
        logFileBytes,
        checkpointBytes,
        freeBytes,
        bytesMax,
        readers,
        readsMax,
        readWaitNanos,
        batchesMax,
        batchBytesMax);
  }

  /** These, with so many reading threads. */
  public JeSettings withReaders(int threads) {
    return new JeSettings(
        cacheBytes,
        cachePercent,
        logFileBytes,
        checkpointBytes,
        diskFreeBytes,
        diskBytesMax,
        threads,
        readsMax,
        readWaitNanos,
        batchesMax,
        batchBytesMax);
  }

  /** These, with other bounds of what may wait. */
  public JeSettings withBounds(int reads, int batches, long batchBytes) {
    return new JeSettings(
        cacheBytes,
        cachePercent,
        logFileBytes,
        checkpointBytes,
        diskFreeBytes,
        diskBytesMax,
        readers,
        reads,
        readWaitNanos,
        batches,
        batchBytes);
  }

  /** These, with no more bytes in batches that wait than so many. */
  public JeSettings withBatchBytes(long bytesMax) {
    return withBounds(readsMax, batchesMax, Math.min(batchBytesMax, bytesMax));
  }

  /** These, with another patience of reads. */
  public JeSettings withReadWait(long nanos) {
    return new JeSettings(
        cacheBytes,
        cachePercent,
        logFileBytes,
        checkpointBytes,
        diskFreeBytes,
        diskBytesMax,
        readers,
        readsMax,
        nanos,
        batchesMax,
        batchBytesMax);
  }
}
