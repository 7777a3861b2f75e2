/** Segment files of the ledger in a directory: their format, how they are read and written. */
@NullMarked
package org.ecstore.server.ledger.segment;

import org.jspecify.annotations.NullMarked;
