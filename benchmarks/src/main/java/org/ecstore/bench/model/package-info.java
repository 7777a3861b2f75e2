/** A cluster as a queueing model: real placement and balancing, costs instead of engines. */
@NullMarked
package org.ecstore.bench.model;

import org.jspecify.annotations.NullMarked;
