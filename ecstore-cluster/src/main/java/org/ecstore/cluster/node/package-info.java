/** A node as a process: its directory, its resources, its log, how it starts and ends. */
@NullMarked
package org.ecstore.cluster.node;

import org.jspecify.annotations.NullMarked;
