package org.ecstore.client;

import org.ecstore.id.Position;

/**
 * A write that is committed and durable (rule 13).
 *
 * @param number its commit number
 * @param copies how many copies are known to have it
 * @param wanted W
 */
public record QuorumWrite(Position number, int copies, int wanted) {
  /** Whether it is committed, but fewer than W copies are known to have it as yet. */
  public boolean isUnderReplicated() {
    return copies < wanted;
  }

  @Override
  public String toString() {
    return isUnderReplicated()
        ? "committed as %s, under-replicated (%d of %d copies)".formatted(number, copies, wanted)
        : "committed as %s on %d copies".formatted(number, copies);
  }
}
