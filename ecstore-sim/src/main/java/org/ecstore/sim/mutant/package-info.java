/**
 * Mutation score: single changes of protocol classes, made in bytecode as classes load, and whether
 * the simulator finds them.
 */
@NullMarked
package org.ecstore.sim.mutant;

import org.jspecify.annotations.NullMarked;
