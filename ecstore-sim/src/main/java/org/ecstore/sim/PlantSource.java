package org.ecstore.sim;

import java.util.Map;
import org.ecstore.engines.window.WindowRules;
import org.ecstore.sim.node.NodeFactory;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;

/** Planted bugs by name; found through the service loader, on the test side only. */
public interface PlantSource {
  Map<String, NodeMutation> plants();

  /** Adds nodes that are made of other parts. */
  static void add(Map<String, NodeMutation> all, String name, NodeParts parts) {
    NodeFactory nodes = (self, settings, ports) -> new Node(self, settings, parts, ports);
    all.put(name, new NodeMutation(name, nodes, NodeMutation.ClientBehaviour.RIGHT));
  }

  /** Parts of nodes that are wrong together with the rules of their engines. */
  static void add(Map<String, NodeMutation> all, String name, NodeParts parts, WindowRules rules) {
    NodeFactory nodes = (self, settings, ports) -> new Node(self, settings, parts, ports);
    NodeMutation right = NodeMutation.RIGHT;
    all.put(name, new NodeMutation(name, nodes, right.behaviour(), right.ledger(), rules));
  }
}
