/** What applications have of the cluster, as their clients measure it (decision 0072). */
@NullMarked
package org.ecstore.txn.qos.monitor;

import org.jspecify.annotations.NullMarked;
