/** What bytecode that was changed reports to; each class loader has its own. */
@NullMarked
package org.ecstore.sim.probe;

import org.jspecify.annotations.NullMarked;
