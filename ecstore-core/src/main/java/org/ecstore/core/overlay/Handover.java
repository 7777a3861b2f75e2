package org.ecstore.core.overlay;

import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;

/** Keys that pass from one node to another by a change of the tree. */
public record Handover(NodeId from, NodeId to, KeyRange keys) {}
