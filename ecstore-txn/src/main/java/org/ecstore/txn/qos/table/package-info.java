/** Performance tables: what a cluster was measured to do, by clients and servers. No files here. */
@NullMarked
package org.ecstore.txn.qos.table;

import org.jspecify.annotations.NullMarked;
