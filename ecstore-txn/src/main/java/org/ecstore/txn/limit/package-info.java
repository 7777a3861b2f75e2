/** How much of something there is in a time, and for which applications. */
@NullMarked
package org.ecstore.txn.limit;

import org.jspecify.annotations.NullMarked;
