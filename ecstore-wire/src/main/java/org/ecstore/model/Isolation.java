package org.ecstore.model;

/** What a commit validates (rule 3). */
public enum Isolation {
  /** Keys read and intervals scanned are unchanged since the snapshot. */
  SERIALIZABLE,
  /** Keys written are unchanged since the snapshot, but for those written by operations alone. */
  SNAPSHOT
}
