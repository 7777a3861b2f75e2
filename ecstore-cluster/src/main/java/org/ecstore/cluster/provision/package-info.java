/** Programs of an operator that start and stop nodes for the controller. */
@NullMarked
package org.ecstore.cluster.provision;

import org.jspecify.annotations.NullMarked;
