/**
 * Untyped access to a cluster: routes, leased snapshots, reads, merged scans, commits. Not for
 * applications.
 */
@NullMarked
package org.ecstore.client.access;

import org.jspecify.annotations.NullMarked;
