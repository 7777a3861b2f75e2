package org.ecstore.replication.load;

import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;

/** A hot-spot replica of some of a copy's keys on a node: to be made, or to be dropped. */
public record HotReplicaOrder(KeyRange keys, NodeId node) {}
