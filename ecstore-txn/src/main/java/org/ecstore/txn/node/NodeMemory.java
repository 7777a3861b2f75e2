package org.ecstore.txn.node;

/**
 * What the strata of a node may hold in memory, in bytes.
 *
 * @param transactionMax the heaviest transaction of a client; 0 for each within the published
 *     limits
 * @param intentHoldersMax transactions with intents here, until their writes are in the engine
 * @param recordsMax records that the sequencer has numbered and not handed to the ledger
 * @param streamsMax writes kept for secondaries that lag
 * @param outcomesMax outcomes that a sequencer remembers; a number, not bytes
 * @param leasesMax snapshots with leases; a number, not bytes
 */
public record NodeMemory(
    long transactionMax,
    long intentHoldersMax,
    long recordsMax,
    long streamsMax,
    long outcomesMax,
    int leasesMax) {}
