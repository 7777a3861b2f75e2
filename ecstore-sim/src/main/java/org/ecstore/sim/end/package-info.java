/** What is asked of a cluster at the end of a run, when all faults are healed. */
@NullMarked
package org.ecstore.sim.end;

import org.jspecify.annotations.NullMarked;
