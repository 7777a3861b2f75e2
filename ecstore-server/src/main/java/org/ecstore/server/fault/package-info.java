/**
 * What goes wrong in a cluster of this process when a test wants it to: nodes that are cut off from
 * one another, from the ledger and from coordination, and members that are not heard of.
 */
@NullMarked
package org.ecstore.server.fault;

import org.jspecify.annotations.NullMarked;
