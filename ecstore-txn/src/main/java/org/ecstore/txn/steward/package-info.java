/** The steward: joins, splits, new epochs (rules 15-19). */
@NullMarked
package org.ecstore.txn.steward;

import org.jspecify.annotations.NullMarked;
