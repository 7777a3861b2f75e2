/** Leases: what keeps the versions of a snapshot while it is in use. */
@NullMarked
package org.ecstore.client.lease;

import org.jspecify.annotations.NullMarked;
