package org.ecstore.sim;

import java.util.Optional;
import java.util.ServiceLoader;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.World;

/**
 * The ledgers of simulated clusters that are reached by the real adapter. They come from the test
 * side of the module that has the adapter, as their services are faked there.
 */
public final class AdaptedLedgers {
  /** What a run counts a seed as that has drawn the adapter. */
  public static final String DRAWN = "the ledger's real adapter in the loop";

  /** Gives a ledger; found through the service loader, on the test side only. */
  public interface Source {
    SimLedger.Factory ledger();
  }

  private AdaptedLedgers() {}

  /**
   * ecStore as it is, where half of the seeds, drawn by their number, have nodes that reach the
   * ledger by the real adapter. The others are what they are without.
   *
   * @throws IllegalArgumentException if no adapter is on the class path
   */
  public static NodeMutation inHalfOfTheSeeds() {
    SimLedger.Factory adapted =
        find()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the services below the adapter are faked on the test side only, which is"
                            + " not on the class path"))
            .ledger();
    return new NodeMutation(
        NodeMutation.RIGHT.plan(),
        NodeMutation.RIGHT.nodes(),
        NodeMutation.RIGHT.behaviour(),
        (world, faults) -> drawn(adapted, world).create(world, faults));
  }

  private static Optional<Source> find() {
    return ServiceLoader.load(Source.class).findFirst();
  }

  private static SimLedger.Factory drawn(SimLedger.Factory adapted, World world) {
    if (!world.random("adapter of the ledger").chance(0.5)) {
      return NodeMutation.RIGHT.ledger();
    }
    world.happened(DRAWN);
    return adapted;
  }
}
