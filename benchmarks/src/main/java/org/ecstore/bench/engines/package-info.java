/** Engines side by side: what an update, a read and a scan of a node's engine cost. */
@NullMarked
package org.ecstore.bench.engines;

import org.jspecify.annotations.NullMarked;
