/** The feed of changes: a node's part in telling readers what was committed (rule 29). */
@NullMarked
package org.ecstore.txn.changes;

import org.jspecify.annotations.NullMarked;
