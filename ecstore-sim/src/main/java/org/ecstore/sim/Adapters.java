package org.ecstore.sim;

import java.util.ServiceLoader;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCoordination;
import org.ecstore.sim.world.World;

/**
 * The services of simulated clusters that are reached by the real adapters. They come from the test
 * side of the module that has the adapters, as what is below them is faked there.
 */
public final class Adapters {
  /** What a run counts a seed as that has drawn the adapter for the ledger. */
  public static final String LEDGER_DRAWN = "the ledger's real adapter in the loop";

  /** What a run counts a seed as that has drawn the adapter for coordination. */
  public static final String COORDINATION_DRAWN = "the coordination's real adapter in the loop";

  /** Gives a ledger; found through the service loader, on the test side only. */
  public interface LedgerSource {
    SimLedger.Factory ledger();
  }

  /** Gives a coordination; found through the service loader, on the test side only. */
  public interface CoordinationSource {
    SimCoordination.Factory coordination();
  }

  private Adapters() {}

  /**
   * ecStore as it is, where half of the seeds, drawn by their number, have nodes that reach the
   * ledger by the real adapter, and half, drawn apart from these, coordination. A quarter of the
   * seeds has neither, and is what it is without.
   *
   * @throws IllegalArgumentException if an adapter is not on the class path
   */
  public static NodeMutation inHalfOfTheSeeds() {
    SimLedger.Factory ledger = find(LedgerSource.class).ledger();
    SimCoordination.Factory coordination = find(CoordinationSource.class).coordination();
    NodeMutation right = NodeMutation.RIGHT;
    return right.over(
        (world, faults) ->
            (drawn(world, "adapter of the ledger", LEDGER_DRAWN) ? ledger : right.ledger())
                .create(world, faults),
        (world, faults) ->
            (drawn(world, "adapter of the coordination", COORDINATION_DRAWN)
                    ? coordination
                    : right.coordination())
                .create(world, faults));
  }

  private static <S> S find(Class<S> source) {
    return ServiceLoader.load(source)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the services below the adapters are faked on the test side only, which is not"
                        + " on the class path"));
  }

  private static boolean drawn(World world, String stream, String counted) {
    boolean drawn = world.random(stream).chance(0.5);
    if (drawn) {
      world.happened(counted);
    }
    return drawn;
  }
}
