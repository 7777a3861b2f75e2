/**
 * Keys: byte strings ordered unsigned, half-open ranges of them, and the order-preserving tuple
 * encoding.
 */
@NullMarked
package org.ecstore.key;

import org.jspecify.annotations.NullMarked;
