/**
 * The ports of a node: everything it learns comes in as an event, everything it does goes out by a
 * port.
 */
@NullMarked
package org.ecstore.core.port;

import org.jspecify.annotations.NullMarked;
