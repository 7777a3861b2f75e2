/** Redis, started here, and as a store under the loads. */
@NullMarked
package org.ecstore.bench.peer.redis;

import org.jspecify.annotations.NullMarked;
