/** The transport of a node: its port, its connections to other nodes, and the bounds of both. */
@NullMarked
package org.ecstore.server.net;

import org.jspecify.annotations.NullMarked;
