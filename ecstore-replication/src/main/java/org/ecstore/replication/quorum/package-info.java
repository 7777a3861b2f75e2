/** Reads and writes of a quorum of copies with explicit (N, W, R) (rule 13; ecStore §4.4). */
@NullMarked
package org.ecstore.replication.quorum;

import org.jspecify.annotations.NullMarked;
