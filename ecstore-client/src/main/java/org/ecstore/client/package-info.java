/** The Java API: a store, its sessions, transactions, snapshots and typed tables. */
@NullMarked
package org.ecstore.client;

import org.jspecify.annotations.NullMarked;
