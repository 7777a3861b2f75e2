package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;

/** What is in a table that a cluster keeps, asked of each of its nodes. */
final class WholeTableSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final String TABLE =
      """
      # engine: je
      # class: small
      # build: 1
      # capacity: all
      # reads-percent: 100
      clients,servers,ms,MB/s
      8,1,8.0,1.0
      """;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 5 * MILLI),
          NodeMutation.RIGHT,
          id ->
              NodeSettings.defaults("sim", ClientInSim.address(id))
                  .withCopies(3)
                  .withTraits(new NodeTraits("small", Optional.empty(), "1", "je")));
  private final CalmClient client = new CalmClient(world, cluster);

  /** The node that leads reads what is kept when it is asked first. */
  private Optional<String> text(NodeId node, String name) {
    ClientReply reply = client.ask(node, new ClientRequest.AskWholeTable(name));
    for (int again = 0; reply instanceof ClientReply.Refused && again < 50; again++) {
      CalmCluster.run(world, 100 * MILLI);
      reply = client.ask(node, new ClientRequest.AskWholeTable(name));
    }
    return assertInstanceOf(ClientReply.WholeTable.class, reply).text();
  }

  @Test
  void eachNodeHasItFromTheOneThatLeads() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
    List<NodeId> nodes = cluster.hosts().stream().map(SimHost::id).toList();
    for (NodeId node : nodes) {
      assertEquals(Optional.empty(), text(node, "reads"));
    }
    client.ask(
        nodes.getFirst(),
        new ClientRequest.Administer(new AdminRequest.UseTable("reads", TABLE, 1)));
    CalmCluster.run(world, 5 * SECOND);
    for (NodeId node : nodes) {
      String text = text(node, "reads").orElseThrow();
      assertEquals(TableReader.read(TABLE).cells(), TableReader.read(text).cells());
      assertEquals(TableReader.read(TABLE).subject(), TableReader.read(text).subject());
      assertEquals(Optional.empty(), text(node, "writes"));
    }
    ClientReply.Refused refused =
        assertInstanceOf(
            ClientReply.Refused.class,
            client.ask(nodes.getFirst(), new ClientRequest.AskWholeTable("a table")));
    assertEquals(RefusalCode.BAD_REQUEST, refused.code());
    assertEquals(List.of(), world.violations());
  }
}
