package org.ecstore.server.refusal;

/** What another attempt to start may come to (decision 0034). */
public enum Outlook {
  /** The same, until an operator changes something. */
  LASTING,
  /** Something else, at the next start of the node. */
  NEXT_START,
  /** Something else, soon: ZooKeeper does not answer. */
  SOON
}
