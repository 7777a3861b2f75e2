package org.ecstore.core.overlay;

/**
 * What an {@link OverlayExperiment} found. The height counts levels; hops are links followed from a
 * node to the owner of a key; the bound is 1.44 log2 N + 2 hops (rule 20).
 */
public record OverlayReport(
    int nodes,
    int height,
    int maxHops,
    double meanHops,
    double bound,
    double joinMessagesMean,
    double leaveMessagesMean) {
  /** Whether no route was longer than BATON allows. */
  public boolean withinBound() {
    return maxHops <= bound;
  }
}
