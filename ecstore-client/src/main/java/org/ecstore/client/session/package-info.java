/** Transactions and snapshots in bytes, below the typed ones of the application. */
@NullMarked
package org.ecstore.client.session;

import org.jspecify.annotations.NullMarked;
