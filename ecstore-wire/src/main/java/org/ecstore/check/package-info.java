/** Assertions that stay on in production. */
@NullMarked
package org.ecstore.check;

import org.jspecify.annotations.NullMarked;
