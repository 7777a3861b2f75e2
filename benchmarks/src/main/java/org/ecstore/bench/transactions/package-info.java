/** Transactions of the paper's figures on simulated nodes, and what they cost them. */
@NullMarked
package org.ecstore.bench.transactions;

import org.jspecify.annotations.NullMarked;
