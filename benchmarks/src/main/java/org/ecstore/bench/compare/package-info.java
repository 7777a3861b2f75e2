/** ecStore and others in one run, one after the other, and what comes of it. */
@NullMarked
package org.ecstore.bench.compare;

import org.jspecify.annotations.NullMarked;
