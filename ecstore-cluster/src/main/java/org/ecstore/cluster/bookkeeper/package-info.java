/**
 * The commit ledger on Apache BookKeeper (rules 1, 6, 7), and a bookie that a node can host. The
 * segments of the ledger are BookKeeper ledgers; which ones, and in what order, says one versioned
 * znode.
 */
@NullMarked
package org.ecstore.cluster.bookkeeper;

import org.jspecify.annotations.NullMarked;
