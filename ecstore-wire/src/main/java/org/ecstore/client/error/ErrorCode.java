package org.ecstore.client.error;

/** What happened, for a program that would rather switch than catch. */
public enum ErrorCode {
  /** Another transaction got there first; nothing was done. */
  CONFLICT,
  /** Whether the transaction committed could not be found out in time. */
  UNKNOWN_OUTCOME,
  /** The snapshot's versions are no longer kept; nothing was done. */
  SNAPSHOT_TOO_OLD,
  /** The changes above where a reader has come are no longer told; nothing was done. */
  CHANGES_LOST,
  /** A published limit is exceeded; nothing was sent. */
  TOO_LARGE,
  /** An application holds all that it may, and this would add to it; nothing was done. */
  OVER_QUOTA,
  /** No node could do it in time; nothing was done. */
  UNAVAILABLE,
  /** The nodes had more to do than they can; nothing was done. */
  OVERLOADED,
  /** An insert found its key taken, or a unique index a value. */
  ALREADY_EXISTS,
  /** The call makes no sense as it is. */
  WRONG_ARGUMENT,
  /** The store, transaction, snapshot or cursor is closed. */
  CLOSED,
  /** A node answered what it must not answer. */
  PROTOCOL
}
