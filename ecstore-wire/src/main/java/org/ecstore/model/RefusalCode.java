package org.ecstore.model;

/** Why a request was refused. */
public enum RefusalCode {
  /** The snapshot is below the base of the copy or the version floor: begin a new one. */
  SNAPSHOT_TOO_OLD,
  /**
   * The node cannot serve this now: not recovered, no sequencer, no room on its disk. Try later.
   */
  UNAVAILABLE,
  /** A limit of waiting work is reached. Try later. */
  OVERLOADED,
  /** A key, value, transaction or request is over a published limit. */
  TOO_LARGE,
  /** The request contradicts the protocol. */
  BAD_REQUEST,
  /**
   * An application holds all that it may, and the request would add to it. A client that does not
   * know this takes it for {@link #TOO_LARGE}.
   */
  OVER_QUOTA
}
