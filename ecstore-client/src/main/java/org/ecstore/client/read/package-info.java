/** Reads of keys and intervals at a snapshot, from whichever copy is chosen. */
@NullMarked
package org.ecstore.client.read;

import org.jspecify.annotations.NullMarked;
