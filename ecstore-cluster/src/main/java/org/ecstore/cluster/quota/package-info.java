/** How a node's process is held to a part of its machine's processors. */
@NullMarked
package org.ecstore.cluster.quota;

import org.jspecify.annotations.NullMarked;
