/** Membership, compare-and-set and the election hint of a cluster that lives in one process. */
@NullMarked
package org.ecstore.server.coordination;

import org.jspecify.annotations.NullMarked;
