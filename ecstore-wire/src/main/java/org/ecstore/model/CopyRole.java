package org.ecstore.model;

/** What a copy is to its range. */
public enum CopyRole {
  /** Takes writes, and answers at any position that its node knows to be durable. */
  PRIMARY,
  /** Follows the primary, and answers at or below its closed position. */
  SECONDARY,
  /** Holds some of the keys of another copy in memory, and answers as a secondary does. */
  HOT_REPLICA
}
