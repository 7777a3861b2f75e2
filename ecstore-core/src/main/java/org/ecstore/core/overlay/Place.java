package org.ecstore.core.overlay;

import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;

/** A node of the tree: where it sits and the keys it owns. Also what a link to that node knows. */
public record Place(NodeId node, TreePosition position, KeyRange keys) {
  Place withKeys(KeyRange other) {
    return new Place(node, position, other);
  }

  Place at(TreePosition other) {
    return new Place(node, other, keys);
  }

  @Override
  public String toString() {
    return node + "@" + position + keys;
  }
}
