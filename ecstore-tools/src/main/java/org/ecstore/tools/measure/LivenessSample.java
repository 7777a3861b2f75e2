package org.ecstore.tools.measure;

/**
 * How a cluster is at a moment of a {@link LivenessMeasurement}; of several nodes the greatest
 * number.
 *
 * @param seconds since the member was frozen, or its database server hurt
 * @param commits acknowledged since the sample before
 * @param perSecond the same, a second
 * @param trimmed the position below which the ledger is trimmed
 * @param durable the newest position
 * @param windowBytes of versions in memory
 * @param foldLag by how many positions what is folded is behind the newest one; of nodes whose
 *     engine is well
 * @param heapBytes of the heap, after a collection
 */
record LivenessSample(
    double seconds,
    long commits,
    double perSecond,
    long trimmed,
    long durable,
    long windowBytes,
    long foldLag,
    long heapBytes) {}
