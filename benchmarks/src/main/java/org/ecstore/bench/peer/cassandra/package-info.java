/** Apache Cassandra, started here, and as a store under the loads. */
@NullMarked
package org.ecstore.bench.peer.cassandra;

import org.jspecify.annotations.NullMarked;
