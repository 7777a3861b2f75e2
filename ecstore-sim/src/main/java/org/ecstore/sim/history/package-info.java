/** What clients of a run did and saw, and the keys they did it with. */
@NullMarked
package org.ecstore.sim.history;

import org.jspecify.annotations.NullMarked;
