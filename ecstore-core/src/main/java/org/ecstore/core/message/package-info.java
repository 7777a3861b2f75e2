/** Messages between nodes: the envelope and its codec; each stratum declares its own. */
@NullMarked
package org.ecstore.core.message;

import org.jspecify.annotations.NullMarked;
