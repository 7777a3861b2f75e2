/**
 * The ledger's segments, each a ledger of BookKeeper: their list, their reads, who takes them away.
 */
@NullMarked
package org.ecstore.cluster.bookkeeper.segment;

import org.jspecify.annotations.NullMarked;
