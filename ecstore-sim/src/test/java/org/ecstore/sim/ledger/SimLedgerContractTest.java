package org.ecstore.sim.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerContractTest;
import org.ecstore.id.NodeId;
import org.ecstore.sim.SimFixture;
import org.ecstore.sim.world.SwarmSettings;

/** The simulated ledger, with delays but without faults, keeps the port's contract. */
final class SimLedgerContractTest extends LedgerContractTest {
  @Override
  protected Fixture newLedger() {
    return new SimulatedLedger();
  }

  private static final class SimulatedLedger implements Fixture {
    private final SimFixture fixture = new SimFixture(7);
    private final SimLedger ledger =
        new SteppedLedger(
            fixture.world(),
            new SwarmSettings.LedgerFaults(
                3_000_000, 5_000_000, 2_000_000, 50_000_000, 7, true, 0, 0, 0, 0, 0, 0, 0));
    private final List<SimFixture.SinkLife> lives = new ArrayList<>();

    @Override
    public Ledger handle(NodeId node, Consumer<Event> sink) {
      SimFixture.SinkLife life = fixture.life(node, sink);
      lives.add(life);
      return ledger.port(life);
    }

    @Override
    public void awaitEvent() {
      fixture.awaitEvent();
    }

    @Override
    public void reopen() {
      for (SimFixture.SinkLife life : lives) {
        life.die();
        ledger.crashed(life);
      }
      lives.clear();
    }

    @Override
    public void close() {}
  }
}
