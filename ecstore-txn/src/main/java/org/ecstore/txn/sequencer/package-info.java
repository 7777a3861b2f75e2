/** The sequencer: commit numbers, the ledger, outcomes, checkpoints (rules 1, 4-7). */
@NullMarked
package org.ecstore.txn.sequencer;

import org.jspecify.annotations.NullMarked;
