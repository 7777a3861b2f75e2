/** What the steward decided, why, and how long that is remembered (rule 15). */
@NullMarked
package org.ecstore.txn.steward.decision;

import org.jspecify.annotations.NullMarked;
