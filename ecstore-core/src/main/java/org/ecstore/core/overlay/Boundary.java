package org.ecstore.core.overlay;

import java.util.List;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** BATON's load balancing between two adjacent nodes (rule 21): one hands keys to the other. */
final class Boundary {
  private Boundary() {}

  static TreeChange shift(BatonTree tree, NodeId one, NodeId other, Bytes boundary) {
    Place first = tree.place(one);
    Place second = tree.place(other);
    boolean ordered = first.keys().start().compareTo(second.keys().start()) < 0;
    Place left = ordered ? first : second;
    Place right = ordered ? second : first;
    KeyRange both = Leaving.joined(left.keys(), right.keys());
    if (boundary.equals(right.keys().start())) {
      return new TreeChange(tree, List.of(), 0);
    }
    KeyRange lower = Joining.lowerPart(both, boundary);
    KeyRange upper = Joining.upperPart(both, boundary);
    Handover handover =
        left.keys().contains(boundary)
            ? new Handover(left.node(), right.node(), Joining.upperPart(left.keys(), boundary))
            : new Handover(right.node(), left.node(), Joining.lowerPart(right.keys(), boundary));
    Check.that(
        both.contains(handover.keys()), "a shift moves only keys of the two", both, handover);
    int messages = 1 + tree.tables(left.position()).size() + tree.tables(right.position()).size();
    return new TreeChange(
        tree.with(left.withKeys(lower)).with(right.withKeys(upper)), List.of(handover), messages);
  }
}
