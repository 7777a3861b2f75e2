/** Which nodes are on one machine, as far as their addresses say. */
@NullMarked
package org.ecstore.tools.hosts;

import org.jspecify.annotations.NullMarked;
