package org.ecstore.core.port;

import org.ecstore.id.NodeId;

/**
 * Starts and stops processes of nodes, for the controller. An order is a wish: it is told again
 * until the members of the cluster show that it has come true, so that one who hangs, fails or says
 * what is not so does no harm. Calls return at once.
 */
public interface Provisioner {
  /** There is none: nodes are started and stopped by people. */
  Provisioner NONE =
      new Provisioner() {
        @Override
        public boolean isThere() {
          return false;
        }

        @Override
        public String words() {
          return "";
        }

        @Override
        public void add(long action, NodeId node) {}

        @Override
        public void remove(long action, NodeId node) {}
      };

  /** Whether orders may come true. */
  boolean isThere();

  /** What it is, and what is wrong with it, for people; empty if there is none. */
  String words();

  /**
   * A node is wanted. Told again it changes nothing where that node is there, or being started.
   *
   * @param action which of the controller's
   * @param node the number that it is to have, and no other has had
   */
  void add(long action, NodeId node);

  /** A node is not wanted any more: it has given up all that it had. As above. */
  void remove(long action, NodeId node);
}
