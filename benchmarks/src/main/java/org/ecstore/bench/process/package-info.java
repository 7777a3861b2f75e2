/** The figures that can be measured on real node processes. */
@NullMarked
package org.ecstore.bench.process;

import org.jspecify.annotations.NullMarked;
