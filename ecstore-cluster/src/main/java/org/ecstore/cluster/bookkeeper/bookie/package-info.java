/** A bookie in a node's process, and why one does not start. */
@NullMarked
package org.ecstore.cluster.bookkeeper.bookie;

import org.jspecify.annotations.NullMarked;
