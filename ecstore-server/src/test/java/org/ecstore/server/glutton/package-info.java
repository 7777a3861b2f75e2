/** The glutton: a client that takes as much memory of a node as it can, from outside. */
@NullMarked
package org.ecstore.server.glutton;

import org.jspecify.annotations.NullMarked;
