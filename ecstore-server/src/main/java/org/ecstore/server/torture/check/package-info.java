/** The verdict on a recorded history: anomalies, each with the transactions that show it. */
@NullMarked
package org.ecstore.server.torture.check;

import org.jspecify.annotations.NullMarked;
