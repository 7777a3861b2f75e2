package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

  /** The range has moved, a value was written since, and its former primary is cut off. */
  private static final class Scene {
    private final World world = new World(2, new Trace(null));
    private final SimCluster cluster;
    private final CalmClient client;
    private final SimHost former;
    private final Position first;
    private final Position second;

    Scene(NodeMutation variant) {
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(4, 20 * MILLI),
              variant,
              id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(1));
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      client = new CalmClient(world, cluster);
      former = other(leader());
      if (serving() != former) {
        askToMove(former.id());
        CalmCluster.run(world, 8 * SECOND);
      }
      assertEquals(former, serving());
      first = write(former.id(), BEFORE);
      SimHost next = other(leader(), former);
      askToMove(next.id());
      while (copies(next).noneMatch(copy -> copy.state() == Copy.State.BUILT)) {
        assertTrue(world.scheduler().step(Long.MAX_VALUE));
      }
      cut(former);
      CalmCluster.run(world, SECOND);
      assertTrue(placed(next).filter(copy -> copy.state() == Copy.State.SERVING).isPresent());
      second = write(next.id(), AFTER);
      assertReads(read(next.id(), ReadPoint.ZERO), AFTER, second);
    }

    private SimHost other(SimHost... not) {
      return cluster.hosts().stream()
          .filter(host -> !List.of(not).contains(host))
          .findFirst()
          .orElseThrow();
    }

    private Position write(NodeId node, Bytes value) {
      return client.write(node, KEY, value);
    }

    private ClientReply read(NodeId node, ReadPoint seen) {
      return client.ask(node, new ClientRequest.QuorumGet(KEY, new Quorum(1, 1, 1), seen, 2_000));
    }

    private static void assertReads(ClientReply reply, Bytes value, Position version) {
      ClientReply.QuorumValue found =
          assertInstanceOf(ClientReply.QuorumValue.class, reply, reply::toString);
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
      return CalmCluster.leader(cluster);
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
  }

  private static boolean maybeStale(ClientReply reply) {
    return assertInstanceOf(ClientReply.QuorumValue.class, reply).mayBeStale();
  }

  @Test
  void whoHasSeenTheNewPrimaryIsNotAnsweredByTheFormerOne() {
    Scene scene = new Scene(NodeMutation.RIGHT);
    ReadPoint seen = new ReadPoint(scene.second, MapVersion.ZERO);
    ClientReply.Refused refused =
        assertInstanceOf(ClientReply.Refused.class, scene.read(scene.former.id(), seen));
    assertEquals(RefusalCode.UNAVAILABLE, refused.code());
    scene.cluster.network().heal();
    Scene.assertReads(scene.read(scene.former.id(), seen), AFTER, scene.second);
    assertEquals(List.of(), scene.world.violations());
  }

  /** It cannot know, and no sequencer tells it: then it says so (decision 0047). */
  @Test
  void theFormerPrimarySaysThatItsAnswerMayBeStale() {
    Scene scene = new Scene(NodeMutation.RIGHT);
    ClientReply old = scene.read(scene.former.id(), ReadPoint.ZERO);
    Scene.assertReads(old, BEFORE, scene.first);
    assertTrue(maybeStale(old));
    scene.cluster.network().heal();
    ClientReply present = scene.read(scene.former.id(), ReadPoint.ZERO);
    Scene.assertReads(present, AFTER, scene.second);
    assertFalse(maybeStale(present));
    assertEquals(List.of(), scene.world.violations());
  }

  @Test
  void withoutTheSequencersWordTheOldAnswerLooksLikeAnyOther() {
    Scene scene = new Scene(Plants.named("quorum-read-not-confirmed"));
    ClientReply old = scene.read(scene.former.id(), ReadPoint.ZERO);
    Scene.assertReads(old, BEFORE, scene.first);
    assertFalse(maybeStale(old));
  }
}
