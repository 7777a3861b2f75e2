/** Simulated hosts, and the ports of the nodes that run on them. */
@NullMarked
package org.ecstore.sim.node;

import org.jspecify.annotations.NullMarked;
