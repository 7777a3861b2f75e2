/**
 * What must hold of a run, whatever happened: checks of client histories, ledgers and node states.
 */
@NullMarked
package org.ecstore.sim.check;

import org.jspecify.annotations.NullMarked;
