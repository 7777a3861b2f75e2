/** Tests of the range map. */
@NullMarked
package org.ecstore.core.map;

import org.jspecify.annotations.NullMarked;
