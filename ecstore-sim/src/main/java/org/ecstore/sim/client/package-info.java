/** Simulated clients: what they plan, how they try, what they believe afterwards. */
@NullMarked
package org.ecstore.sim.client;

import org.jspecify.annotations.NullMarked;
