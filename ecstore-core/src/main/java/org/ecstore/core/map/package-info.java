/** The range map: who owns which keys, and how that changes. */
@NullMarked
package org.ecstore.core.map;

import org.jspecify.annotations.NullMarked;
