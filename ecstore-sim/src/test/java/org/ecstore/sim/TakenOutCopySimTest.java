package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Quorum;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The only copy of a range moves, and its former primary does not hear of it (seed 5131 of 20,000):
 * what a client that has seen the new one reads there (rule 13).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class TakenOutCopySimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = SimKeys.register(0);
  private static final Bytes BEFORE = Bytes.utf8("before");
  private static final Bytes AFTER = Bytes.utf8("after");

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(4, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(1));
  private final CalmClient client;

  TakenOutCopySimTest() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    client = new CalmClient(world, cluster);
  }

  private Position write(NodeId node, Bytes value) {
    return client.write(node, KEY, value);
  }

  private ClientReply read(NodeId node, ReadPoint seen) {
    return client.ask(node, new ClientRequest.QuorumGet(KEY, new Quorum(1, 1, 1), seen, 2_000));
  }

  private void assertReads(ClientReply reply, Bytes value, Position version) {
    ClientReply.QuorumValue found = assertInstanceOf(ClientReply.QuorumValue.class, reply);
    assertEquals(Optional.of(new Row(KEY, version, value)), found.row());
  }

  private static Stream<CopyView> copies(SimHost host) {
    return host.machine() instanceof Node node
        ? node.inspect().copies().stream().filter(copy -> copy.keys().contains(KEY))
        : Stream.of();
  }

  /** The range's copy on a node, but for one that is in no map yet. */
  private static Optional<CopyView> placed(SimHost host) {
    return copies(host).filter(copy -> !copy.epoch().equals(Epoch.ZERO)).findFirst();
  }

  private SimHost serving() {
    return cluster.hosts().stream()
        .filter(host -> placed(host).filter(one -> one.state() == Copy.State.SERVING).isPresent())
        .findFirst()
        .orElseThrow();
  }

  private SimHost leader() {
    NodeId leader = cluster.coordination().leader().orElseThrow();
    return cluster.hosts().stream()
        .filter(one -> one.id().equals(leader))
        .findFirst()
        .orElseThrow();
  }

  private void askToMove(NodeId to) {
    assertInstanceOf(Node.class, leader().machine())
        .adminRequest(
            new AdminRequest.Move(placed(serving()).orElseThrow().id(), to, Optional.empty()));
  }

  private void cut(SimHost from) {
    for (SimHost host : cluster.hosts()) {
      if (host != from) {
        cluster.network().cut(host.id().value(), from.id().value());
        cluster.network().cut(from.id().value(), host.id().value());
      }
    }
  }

  @Test
  void whoHasSeenTheNewPrimaryIsNotAnsweredByTheFormerOne() {
    SimHost former =
        cluster.hosts().stream().filter(host -> host != leader()).findFirst().orElseThrow();
    if (serving() != former) {
      askToMove(former.id());
      CalmCluster.run(world, 8 * SECOND);
    }
    assertEquals(former, serving());
    Position first = write(former.id(), BEFORE);
    SimHost next =
        cluster.hosts().stream()
            .filter(host -> host != leader() && host != former)
            .findFirst()
            .orElseThrow();
    askToMove(next.id());
    while (copies(next).noneMatch(copy -> copy.state() == Copy.State.BUILT)) {
      assertTrue(world.scheduler().step(Long.MAX_VALUE));
    }
    cut(former);
    CalmCluster.run(world, SECOND);
    assertTrue(placed(next).filter(copy -> copy.state() == Copy.State.SERVING).isPresent());
    Position second = write(next.id(), AFTER);
    assertReads(read(next.id(), ReadPoint.ZERO), AFTER, second);

    // What is not closed (decision 0016): it cannot know, and no node tells it.
    assertReads(read(former.id(), ReadPoint.ZERO), BEFORE, first);
    ReadPoint seen = new ReadPoint(second, MapVersion.ZERO);
    ClientReply.Refused refused =
        assertInstanceOf(ClientReply.Refused.class, read(former.id(), seen));
    assertEquals(RefusalCode.UNAVAILABLE, refused.code());
    cluster.network().heal();
    assertReads(read(former.id(), seen), AFTER, second);
    assertEquals(List.of(), world.violations());
  }
}
