/** What applications are promised: kept in coordination by the steward (decision 0072). */
@NullMarked
package org.ecstore.txn.qos.objective;

import org.jspecify.annotations.NullMarked;
