/** Tests of the ledger's records and their format. */
@NullMarked
package org.ecstore.core.ledger;

import org.jspecify.annotations.NullMarked;
