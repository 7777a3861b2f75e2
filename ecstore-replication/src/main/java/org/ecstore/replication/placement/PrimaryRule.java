package org.ecstore.replication.placement;

import java.util.Collection;
import org.ecstore.model.EngineTraits;

/**
 * On which engines primaries are (rule 23): on those that persist and write fast. Where placement
 * is relaxed, and no node that is there has such an engine, on the fittest that there are.
 */
public final class PrimaryRule {
  private PrimaryRule() {}

  /**
   * Whether a node with an engine may be given ranges to serve.
   *
   * @param there the engines of the nodes that are there
   */
  public static boolean mayServe(
      EngineTraits engine, Collection<EngineTraits> there, boolean relaxed) {
    int rank = CopyNeeds.primaryRank(engine);
    return rank == 0
        || (relaxed && there.stream().noneMatch(one -> CopyNeeds.primaryRank(one) < rank));
  }
}
