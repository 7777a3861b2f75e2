/** What applications hold, and whether that is all that they may (decision 0080). */
@NullMarked
package org.ecstore.txn.qos.quota;

import org.jspecify.annotations.NullMarked;
