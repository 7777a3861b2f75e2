/** The verdict on a recorded history: anomalies, each with the transactions that show it. */
@NullMarked
package org.ecstore.verify.check;

import org.jspecify.annotations.NullMarked;
