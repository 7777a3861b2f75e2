/** Which nodes a cluster of processes on one machine has, and what their configurations say. */
@NullMarked
package org.ecstore.cluster.layout;

import org.jspecify.annotations.NullMarked;
