/**
 * {@code bin/ecstore torture}: a cluster whose nodes are killed and paused while clients work, a
 * record of all that the clients saw, and a verdict.
 */
@NullMarked
package org.ecstore.tools.torture;

import org.jspecify.annotations.NullMarked;
