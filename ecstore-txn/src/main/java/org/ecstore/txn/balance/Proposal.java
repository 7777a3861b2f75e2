package org.ecstore.txn.balance;

import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;

/** What would bring a cluster nearer to balance, and why, with figures. */
public sealed interface Proposal {
  /** With the figures that led to it. */
  String why();

  /** What has to be done, in words. */
  String what();

  /** For its load, or else for its size. */
  boolean byLoad();

  /** A range is too large, has too much to do, or must be cut to be shifted. */
  record Split(RangeDescriptor range, boolean byLoad, String why) implements Proposal {
    @Override
    public String what() {
      return "split range " + range.id();
    }
  }

  /** Two neighbours have been small for long. */
  record Merge(RangeDescriptor left, RangeDescriptor right, String why) implements Proposal {
    @Override
    public String what() {
      return "merge ranges " + left.id() + " and " + right.id();
    }

    @Override
    public boolean byLoad() {
      return false;
    }
  }

  /** The outermost range of a node goes to its neighbour, and the boundary with it (rule 21). */
  record Shift(RangeDescriptor range, NodeId from, NodeId to, String why) implements Proposal {
    @Override
    public String what() {
      return "shift range %s from %s to its neighbour %s".formatted(range.id(), from, to);
    }

    @Override
    public boolean byLoad() {
      return false;
    }
  }

  /** A secondary becomes primary, since its node has less to do. */
  record ChangePrimary(RangeDescriptor range, NodeId to, String why) implements Proposal {
    @Override
    public String what() {
      return "make %s primary of range %s instead of %s".formatted(to, range.id(), range.primary());
    }

    @Override
    public boolean byLoad() {
      return true;
    }
  }

  /** A light leaf leaves its place and takes one beside a node that has too much (rule 21). */
  record Rejoin(NodeId light, NodeId loaded, String why) implements Proposal {
    @Override
    public String what() {
      return "let %s leave its place and join beside %s".formatted(light, loaded);
    }

    @Override
    public boolean byLoad() {
      return false;
    }
  }
}
