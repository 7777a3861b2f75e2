/** Whether all that a cluster has is where it should be, for what has to wait for that. */
@NullMarked
package org.ecstore.tools.settled;

import org.jspecify.annotations.NullMarked;
