/** Tests of the overlay. */
@NullMarked
package org.ecstore.core.overlay;

import org.jspecify.annotations.NullMarked;
