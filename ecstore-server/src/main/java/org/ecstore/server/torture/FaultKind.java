package org.ecstore.server.torture;

/** What is done to nodes. */
public enum FaultKind {
  /** A node is killed, and started again a little later. */
  KILL,
  /** A node is frozen for a while, sometimes longer than others wait for it. */
  STOP,
  /** A node is ended in good order and started again at once. */
  RESTART,
  /** A node is added. */
  JOIN
}
