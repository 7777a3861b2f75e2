package org.ecstore.cluster.zookeeper;

import org.ecstore.sim.Adapters;
import org.ecstore.sim.node.SimCoordination;

/** The adapter for ZooKeeper in the simulator, for {@code bin/ecstore sim --adapters}. */
public final class AdaptedCoordinationSource implements Adapters.CoordinationSource {
  @Override
  public SimCoordination.Factory coordination() {
    return of(new ProcessCoordination.Parts());
  }

  /**
   * A coordination of adapters made of given parts.
   *
   * @param parts right ones or with a planted bug
   */
  static SimCoordination.Factory of(ProcessCoordination.Parts parts) {
    return (world, faults) -> new AdaptedCoordination(world, faults, parts);
  }
}
