/**
 * Performance tables that a cluster goes by: kept in coordination, consulted while its nodes are
 * what was measured (decision 0079).
 */
@NullMarked
package org.ecstore.txn.qos.measured;

import org.jspecify.annotations.NullMarked;
