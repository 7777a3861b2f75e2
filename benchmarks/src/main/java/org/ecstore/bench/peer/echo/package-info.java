/** No store at all: what threads and sockets take alone, to hold a read of ecStore against. */
@NullMarked
package org.ecstore.bench.peer.echo;

import org.jspecify.annotations.NullMarked;
