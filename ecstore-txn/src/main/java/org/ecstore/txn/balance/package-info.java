/** How much each range holds and has to do, and what has to be done about it (rule 21). */
@NullMarked
package org.ecstore.txn.balance;

import org.jspecify.annotations.NullMarked;
