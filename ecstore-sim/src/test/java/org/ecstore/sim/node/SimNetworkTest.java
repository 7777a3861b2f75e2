package org.ecstore.sim.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SimNetworkTest {
  private static final NodeId NODE = new NodeId(1);
  private static final int CLIENT = 7;

  private final World world = new World(1, new Trace(null));
  private final SimNetwork network =
      new SimNetwork(
          world,
          new SwarmSettings.NetworkFaults(1, SwarmSettings.MILLI, 0, 0, 0, 0, false),
          new RealCodecs());

  private static final class Idle implements StateMachine {
    @Override
    public void start() {}

    @Override
    public void on(Event event) {}

    @Override
    public void flush() {}
  }

  private static final class Deaf implements SimNetwork.ClientEnd {
    @Override
    public void replied(long correlation, ClientReply reply) {}

    @Override
    public void broken() {}
  }

  @BeforeEach
  void startsANode() {
    SimHost host = new SimHost(world, NODE, 1, (_, _) -> new Idle());
    network.add(host);
    host.start();
  }

  private SimNetwork.Partition cut() {
    SimNetwork.Partition partition = network.partition();
    partition.cut(SimNetwork.CLIENTS + CLIENT, NODE.value());
    return partition;
  }

  private void assertCut() {
    assertEquals(0, network.connect(CLIENT, NODE, new Deaf()));
  }

  private void assertMended() {
    assertNotEquals(0, network.connect(CLIENT, NODE, new Deaf()));
  }

  /** The end of any partition ended all: none lasted until its own end beside others. */
  @Test
  void eachPartitionMendsItsOwnCuts() {
    SimNetwork.Partition one = cut();
    SimNetwork.Partition other = cut();
    assertCut();
    one.mend();
    one.mend();
    assertCut();
    other.mend();
    assertMended();
  }

  @Test
  void whatIsHealedIsNotMendedOnceMore() {
    SimNetwork.Partition one = cut();
    network.heal();
    assertMended();
    cut();
    one.mend();
    assertCut();
    network.heal();
    assertMended();
  }
}
