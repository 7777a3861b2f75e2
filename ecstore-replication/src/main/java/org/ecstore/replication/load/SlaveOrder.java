package org.ecstore.replication.load;

import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;

/** A slave of some of a copy's keys on a node: to be made, or to be dropped. */
public record SlaveOrder(KeyRange keys, NodeId node) {}
