/** What the steward knows of members: since when they are there, what they ask for and read. */
@NullMarked
package org.ecstore.txn.steward.member;

import org.jspecify.annotations.NullMarked;
