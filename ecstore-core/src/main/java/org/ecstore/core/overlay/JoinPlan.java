package org.ecstore.core.overlay;

import org.ecstore.id.NodeId;

/**
 * Where a newcomer joins: as which child of whom. The messages are those of the search: the
 * newcomer's request and each time it is passed on.
 */
public record JoinPlan(NodeId newcomer, NodeId parent, Side side, int messages) {}
