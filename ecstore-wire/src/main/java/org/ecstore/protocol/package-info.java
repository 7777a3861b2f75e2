/** The client protocol: what a client asks a node and what it answers. */
@NullMarked
package org.ecstore.protocol;

import org.jspecify.annotations.NullMarked;
