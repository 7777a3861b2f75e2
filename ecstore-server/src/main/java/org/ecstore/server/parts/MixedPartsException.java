package org.ecstore.server.parts;

import java.io.IOException;

/**
 * The parts of a directory do not belong together: one is older than the others, another store's,
 * or has gone on elsewhere. The message is one line that says which part, and what to do.
 */
public final class MixedPartsException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final String ALONE =
      " No node starts, since writes that were acknowledged would be lost or come back: restore the"
          + " whole directory from one backup, or put back the part that was there";

  private static final String OF_SEVERAL =
      " The node does not start, since it would forget what it has promised to others: put back the"
          + " part that was there, or replace the node by a new one with another node.id";

  /** Of a store that is wholly in one directory: what is wrong, as a sentence. */
  public MixedPartsException(String wrong) {
    this(wrong, true);
  }

  /** As above, with one more thing that can be done. */
  public MixedPartsException(String wrong, String or) {
    super(wrong + "." + ALONE + "; or, " + or + ".");
  }

  /**
   * What is wrong, as a sentence; what to do is added.
   *
   * @param alone whether the store is wholly in this directory
   */
  MixedPartsException(String wrong, boolean alone) {
    super(wrong + "." + (alone ? ALONE : OF_SEVERAL) + ".");
  }
}
