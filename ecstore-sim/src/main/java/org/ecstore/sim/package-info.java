/**
 * A whole cluster in one thread under virtual time: every delay, loss, crash and choice comes from
 * one seed, so a failure replays from its seed.
 */
@NullMarked
package org.ecstore.sim;

import org.jspecify.annotations.NullMarked;
