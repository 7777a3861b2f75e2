/** Simulated ledgers: in steps, in segments, with parts, with late and lost answers. */
@NullMarked
package org.ecstore.sim.ledger;

import org.jspecify.annotations.NullMarked;
