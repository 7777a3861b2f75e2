/** Servers of others as processes on this machine: where they are from, how they start and end. */
@NullMarked
package org.ecstore.bench.peer.local;

import org.jspecify.annotations.NullMarked;
