package org.ecstore.core.overlay;

import java.util.List;

/**
 * What a change of the tree gives: the new tree, who hands which keys to whom, and the messages
 * that BATON's distributed protocol would have cost. Each handover speaks of the intervals before
 * the change, no key is handed over twice, and all have to be carried out together: a node may give
 * one interval away and get another.
 */
public record TreeChange(BatonTree tree, List<Handover> handovers, int messages) {
  public TreeChange {
    handovers = List.copyOf(handovers);
  }
}
