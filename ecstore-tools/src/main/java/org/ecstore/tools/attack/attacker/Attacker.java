package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.SplittableRandom;

/** One way to attack a node's ports. Safe for use by several threads. */
public interface Attacker {
  /**
   * One burst; returns how many frames were sent.
   *
   * @throws IOException if the node has closed the connection, which is an answer too
   */
  int strike(AttackedNode node, SplittableRandom random) throws IOException;
}
