/** Records of the commit ledger and their format. */
@NullMarked
package org.ecstore.core.ledger;

import org.jspecify.annotations.NullMarked;
