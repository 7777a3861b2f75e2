/** Clients that do operations at a pace, and what is measured of them. */
@NullMarked
package org.ecstore.bench.load;

import org.jspecify.annotations.NullMarked;
