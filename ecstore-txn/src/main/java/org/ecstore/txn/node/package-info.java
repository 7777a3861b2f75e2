/** A node: the state machine that joins the strata, and what it says to clients. */
@NullMarked
package org.ecstore.txn.node;

import org.jspecify.annotations.NullMarked;
