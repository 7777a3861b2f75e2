package org.ecstore.tools.torture;

import org.ecstore.id.NodeId;

/**
 * One thing done to a node.
 *
 * @param atNanos when it was asked for, since the beginning of the history
 * @param doneNanos when it was done: the node was certainly hurt from then on
 * @param sequencer whether the node gave out commit numbers then
 */
record Fault(FaultKind kind, NodeId node, long atNanos, long doneNanos, boolean sequencer) {}
