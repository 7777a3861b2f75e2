/** What things cost: measured on the real parts, used by simulations. */
@NullMarked
package org.ecstore.bench.cost;

import org.jspecify.annotations.NullMarked;
