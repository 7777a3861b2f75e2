package org.ecstore.server.torture;

import org.ecstore.id.NodeId;

/**
 * One thing done to a node.
 *
 * @param atNanos when, since the beginning of the history
 * @param sequencer whether the node gave out commit numbers then
 */
record Fault(FaultKind kind, NodeId node, long atNanos, boolean sequencer) {}
