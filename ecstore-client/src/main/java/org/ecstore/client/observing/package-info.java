/** How a store tells its observers. */
@NullMarked
package org.ecstore.client.observing;

import org.jspecify.annotations.NullMarked;
