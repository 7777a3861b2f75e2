package org.ecstore.server.fault;

import org.ecstore.id.NodeId;

/** What is wrong with the ways from one node to others. Any thread may ask, and never waits. */
public interface LinkFaults {
  /** Nothing. */
  LinkFaults NONE =
      new LinkFaults() {
        @Override
        public boolean isCut(NodeId to) {
          return false;
        }

        @Override
        public long delayNanos(NodeId to) {
          return 0;
        }
      };

  /** Whether what is said to a node is lost. */
  boolean isCut(NodeId to);

  /** How much later than at once it leaves; 0 for at once. */
  long delayNanos(NodeId to);
}
