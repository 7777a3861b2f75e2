/** Messages between nodes: the envelope and the codec seam; each stratum declares its own. */
@NullMarked
package org.ecstore.core.message;

import org.jspecify.annotations.NullMarked;
