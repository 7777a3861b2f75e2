package org.ecstore.core.message;

import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;

/**
 * A message on its way: who sent it, in which incarnation, to whom, and what the sender knew of the
 * ledger (rule 8).
 */
public record Envelope(
    NodeId from, long fromIncarnation, NodeId to, ReadPoint point, NodeMessage body) {}
