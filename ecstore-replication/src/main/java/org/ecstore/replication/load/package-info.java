/** Replication that follows the load: histograms, the trigger, hot-spot replicas (rules 24-26). */
@NullMarked
package org.ecstore.replication.load;

import org.jspecify.annotations.NullMarked;
