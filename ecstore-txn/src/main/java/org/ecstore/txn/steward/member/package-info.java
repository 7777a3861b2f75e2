/** What members have asked the steward for. */
@NullMarked
package org.ecstore.txn.steward.member;

import org.jspecify.annotations.NullMarked;
