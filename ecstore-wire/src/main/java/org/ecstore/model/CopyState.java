package org.ecstore.model;

import java.util.stream.Stream;

/** Where a copy is in its life, as operators see it. */
public enum CopyState {
  /** Being filled from another copy; answers nothing. */
  BUILDING("building"),
  /** Filled, and in no map yet. */
  BUILT("built"),
  /** Its node is back, and the steward has not confirmed it yet. */
  WAITING("waiting"),
  /** Reads the commits that it lacks from the ledger. */
  REPLAYING("replaying"),
  /** Takes reads and writes. */
  SERVING("serving"),
  /** A secondary, which gets what its primary writes. */
  FOLLOWING("following"),
  /** Its engine takes no writes, as on a full disk; it answers what it has. */
  REFUSES_WRITES("refuses writes"),
  /** Replaced, moved or split; answers nothing any more. */
  RETIRED("retired"),
  /** The ledger no longer has what it misses; answers nothing. */
  LOST("lost"),
  /** One that this version has no word for. */
  UNKNOWN("unknown");

  private final String word;

  CopyState(String word) {
    this.word = word;
  }

  /** What people call it, and messages too. */
  public String word() {
    return word;
  }

  /** Whether data come to its node: from another copy, or from the ledger. */
  public boolean isBeingMade() {
    return this == BUILDING || this == REPLAYING;
  }

  /** How many of some copies are being made. */
  public static int beingMade(Stream<CopyState> copies) {
    return (int) copies.filter(CopyState::isBeingMade).count();
  }

  /** The one of a word; {@link #UNKNOWN} if a later version has others. */
  public static CopyState of(String word) {
    for (CopyState one : values()) {
      if (one.word.equals(word)) {
        return one;
      }
    }
    return UNKNOWN;
  }
}
