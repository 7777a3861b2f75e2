/** What BookKeeper keeps in ZooKeeper: where, and how it is read and written. */
@NullMarked
package org.ecstore.cluster.bookkeeper.metadata;

import org.jspecify.annotations.NullMarked;
