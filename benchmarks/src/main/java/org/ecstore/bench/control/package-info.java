/**
 * A run in which a cluster of node processes keeps an objective by itself: phases of load, what is
 * seen of the cluster each second, and what is made of that.
 */
@NullMarked
package org.ecstore.bench.control;

import org.jspecify.annotations.NullMarked;
