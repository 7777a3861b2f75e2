package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.sim.SimFixture;
import org.ecstore.sim.world.SwarmSettings;

/**
 * The simulated coordination service, with delays but without faults, keeps the port's contract.
 */
final class LaggingCoordinationContractTest extends CoordinationContractTest {
  @Override
  protected Fixture newCoordination() {
    return new SimulatedCoordination();
  }

  private static final class SimulatedCoordination implements Fixture {
    private final SimFixture fixture = new SimFixture(8);
    private final SimCoordination coordination =
        new LaggingCoordination(
            fixture.world(),
            new SwarmSettings.CoordinationFaults(3_000_000, 20_000_000, 1_000_000, 0, 0, 0));
    private final List<SimFixture.SinkLife> lives = new ArrayList<>();

    @Override
    public Coordination handle(NodeId node, Consumer<Event> sink) {
      SimFixture.SinkLife life = fixture.life(node, sink);
      lives.add(life);
      return coordination.port(life);
    }

    @Override
    public void end(NodeId node) {
      lives.stream().filter(life -> life.node().equals(node)).forEach(SimFixture.SinkLife::die);
      coordination.expire(node);
    }

    @Override
    public void awaitEvent() {
      fixture.awaitEvent();
    }

    @Override
    public void reopen() {
      for (SimFixture.SinkLife life : lives) {
        life.die();
        coordination.crashed(life);
      }
      lives.clear();
    }

    @Override
    public void close() {}
  }
}
