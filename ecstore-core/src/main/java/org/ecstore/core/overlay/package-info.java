/**
 * The overlay: BATON as an immutable value (rule 20), the cluster state that is kept in
 * coordination, and routing with a cached map or link by link.
 *
 * <p>Papers: ecStore §3; BATON: A Balanced Tree Structure for Peer-to-Peer Networks, VLDB 2005.
 */
@NullMarked
package org.ecstore.core.overlay;

import org.jspecify.annotations.NullMarked;
