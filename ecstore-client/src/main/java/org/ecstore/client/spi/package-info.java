/** Where a client meets its nodes: the port to a network, a test or a node in the same JVM. */
@NullMarked
package org.ecstore.client.spi;

import org.jspecify.annotations.NullMarked;
