/** A node as a process of its own, and clusters of such processes on one machine. */
@NullMarked
package org.ecstore.cluster.process;

import org.jspecify.annotations.NullMarked;
