package org.ecstore.core.metrics;

/** A part of the time that a commit takes at its coordinator. */
public enum CommitStage {
  /** Until all participants have voted. */
  VOTES,
  /** From the first submission until the coordinator knows of the durable record. */
  LEDGER,
  /** From the request until the answer. */
  WHOLE
}
