/**
 * Hot-spot replicas: soft-state copies of busy parts of a copy, in the memory of other nodes
 * (ecStore §4.2).
 */
@NullMarked
package org.ecstore.replication.hotspot;

import org.jspecify.annotations.NullMarked;
