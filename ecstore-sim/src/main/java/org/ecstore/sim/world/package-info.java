/** The world of a simulated run: time, chance, the trace, what a seed draws, what went wrong. */
@NullMarked
package org.ecstore.sim.world;

import org.jspecify.annotations.NullMarked;
