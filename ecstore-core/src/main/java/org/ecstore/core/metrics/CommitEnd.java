package org.ecstore.core.metrics;

/** How a commit ended, as its client was told. */
public enum CommitEnd {
  /** Durable. */
  COMMITTED,
  /** Another transaction got there first. */
  CONFLICT,
  /** The snapshot was too old to be validated. */
  TOO_OLD,
  /** A range changed hands after the vote. */
  RANGE_CHANGED,
  /** The catalog had changed since the transaction was begun. */
  CATALOG_CHANGED,
  /** An asker in doubt settled it as aborted. */
  SETTLED_BY_ASKER,
  /** A participant was not reached, or did not serve yet. */
  NOT_REACHABLE,
  /** It was not begun, for want of room. */
  REFUSED,
  /** Nothing is known of it: its client asks. */
  UNKNOWN
}
