package org.ecstore.cluster.bookkeeper;

import org.ecstore.sim.Adapters;
import org.ecstore.sim.ledger.SimLedger;

/** The adapter for bookies in the simulator, for {@code bin/ecstore sim --adapters}. */
public final class AdaptedLedgerSource implements Adapters.LedgerSource {
  @Override
  public SimLedger.Factory ledger() {
    return (world, faults) -> new AdaptedLedger(world, faults, new LedgerParts(), true);
  }
}
