/** How many nodes an objective needs, by a performance table, and what would be too few. */
@NullMarked
package org.ecstore.txn.qos.plan;

import org.jspecify.annotations.NullMarked;
