/** Connections to nodes over TCP. */
@NullMarked
package org.ecstore.client.net;

import org.jspecify.annotations.NullMarked;
