package org.ecstore.bench.engines;

/**
 * What engines are put under.
 *
 * @param records keys
 * @param valueBytes the length of a value
 * @param cacheBytes the cache of the store
 * @param operations in each phase
 * @param retentionNanos for how long versions are kept
 */
public record EngineLoad(
    int records, int valueBytes, long cacheBytes, int operations, long retentionNanos) {}
