/** Messages of the replication stratum. */
@NullMarked
package org.ecstore.replication.message;

import org.jspecify.annotations.NullMarked;
