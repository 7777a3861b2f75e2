package org.ecstore.sim.node;

import org.ecstore.core.port.Ports;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.NodeId;
import org.ecstore.txn.node.NodeSettings;

/** Makes the node that is simulated. */
public interface NodeFactory {
  /** A node of one life, not started yet. */
  StateMachine create(NodeId self, NodeSettings settings, Ports ports);
}
