package org.ecstore.core.metrics;

/** A part of the time that copies of a node take to go on from the ledger. */
public enum ReplayStage {
  /** From asking the ledger for a part of it until that is there. */
  LEDGER,
  /** Its records are decoded, in the node's loop. */
  DECODE,
  /** Until their writes are in the engine's window; while that has no room, until it has. */
  WINDOW
}
