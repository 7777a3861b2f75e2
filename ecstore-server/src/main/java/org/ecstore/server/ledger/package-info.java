/**
 * The commit ledger of a cluster that lives in one process: segment files in one directory, shared
 * by all nodes of the process.
 */
@NullMarked
package org.ecstore.server.ledger;

import org.jspecify.annotations.NullMarked;
