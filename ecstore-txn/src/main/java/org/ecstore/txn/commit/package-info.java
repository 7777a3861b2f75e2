/** The commit trip: coordinator, participant, intents (rules 1-5). */
@NullMarked
package org.ecstore.txn.commit;

import org.jspecify.annotations.NullMarked;
