/** The one thread that owns a node's state machine, with its clock, its timers and its inbox. */
@NullMarked
package org.ecstore.server.loop;

import org.jspecify.annotations.NullMarked;
