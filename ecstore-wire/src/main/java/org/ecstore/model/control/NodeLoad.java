package org.ecstore.model.control;

/**
 * What a node has to do, as it says of itself.
 *
 * @param busyMilli how much of its capacity it has used, in thousandths
 * @param waitMicros how long a request waits for its turn
 * @param lookups of its engine in its cache since the last time; 0 if it does not say
 * @param misses of those
 * @param foldLag how many commits its engine is behind the ledger
 */
public record NodeLoad(long busyMilli, long waitMicros, long lookups, long misses, long foldLag) {}
