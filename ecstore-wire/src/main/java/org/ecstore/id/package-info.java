/** Identifiers as types: nodes, ranges, epochs, ledger positions, map versions, transactions. */
@NullMarked
package org.ecstore.id;

import org.jspecify.annotations.NullMarked;
