/** Copies of ranges on one node: base, closed position, replay, transfer (rules 10, 11, 15-17). */
@NullMarked
package org.ecstore.replication.copy;

import org.jspecify.annotations.NullMarked;
