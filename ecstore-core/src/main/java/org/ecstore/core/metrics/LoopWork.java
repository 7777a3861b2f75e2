package org.ecstore.core.metrics;

/** What the event loop of a node is busy with. */
public enum LoopWork {
  /** A request of a client. */
  REQUEST,
  /** A message of another node. */
  MESSAGE,
  /** An answer of the engine. */
  ENGINE,
  /** An answer of the ledger. */
  LEDGER,
  /** An answer of coordination, or what it tells. */
  COORDINATION,
  /** What is due. */
  TIMER,
  /** What is done once for a batch of these. */
  BATCH,
  /** Encoding what a batch leaves to send, and connections, where they are on its thread. */
  NETWORK
}
