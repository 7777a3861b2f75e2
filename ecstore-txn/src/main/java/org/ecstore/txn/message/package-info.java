/** Messages of the transaction stratum. */
@NullMarked
package org.ecstore.txn.message;

import org.jspecify.annotations.NullMarked;
