/** What keeps service levels, beside the steward: one door to objectives, control and quotas. */
@NullMarked
package org.ecstore.txn.qos;

import org.jspecify.annotations.NullMarked;
