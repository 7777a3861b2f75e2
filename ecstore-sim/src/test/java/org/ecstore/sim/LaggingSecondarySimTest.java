package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A secondary is not reached by its primary for a while, and nothing else goes wrong (rule 11): if
 * what it lacks is kept, it gets that; if there is no room for it, it reads the ledger.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class LaggingSecondarySimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = Bytes.utf8("k");
  private static final int WRITES = 60;
  private static final int VALUE_BYTES = 200;
  private static final int NODES = 3;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final CopyStreams.Bounds ALL = CopyStreams.Bounds.DEFAULT;

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private int missing;

  /** The streams of all nodes, that count how often a secondary lacked what is not kept. */
  private final class Counting extends NodeParts {
    private final CopyStreams.Bounds bounds;

    Counting(CopyStreams.Bounds bounds) {
      this.bounds = bounds;
    }

    @Override
    public CopyStreams streams(
        NodeContext context, LedgerView ledgerView, CopyTable copies, NodeSettings settings) {
      return new CopyStreams(context, ledgerView, copies, settings.askNanos(), bounds) {
        @Override
        protected boolean isMissing(Position from, Position acked) {
          boolean is = super.isMissing(from, acked);
          missing += is ? 1 : 0;
          return is;
        }
      };
    }
  }

  /** The copies in a state of the range that is written to. */
  private static List<FailOverSimTest.Held> copies(SimCluster cluster, Copy.State state) {
    return FailOverSimTest.copies(cluster, state).values().stream()
        .flatMap(List::stream)
        .filter(held -> held.copy().keys().contains(KEY))
        .toList();
  }

  private void write(Backend backend) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(KEY, Bytes.wrap(new byte[VALUE_BYTES]));
    tx.commit();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void catchesUpWhetherWhatItLacksIsKeptOrNot(boolean littleEach, boolean littleTogether) {
    CopyStreams.Bounds bounds =
        new CopyStreams.Bounds(
            1_000,
            littleEach ? 2_000 : ALL.keptBytesMax(),
            littleTogether ? 2_000 : ALL.keptTogetherBytesMax());
    NodeParts parts = new Counting(bounds);
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(NODES, 20 * MILLI),
            new NodeMutation(
                "counts",
                (self, settings, ports) -> new Node(self, settings, parts, ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(NODES));
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    try (Backend backend =
        new Backend(
            client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1)) {
      write(backend);
      client.pause(5 * SECOND);
      NodeId primary = copies(cluster, Copy.State.SERVING).getFirst().node();
      NodeId lags =
          copies(cluster, Copy.State.FOLLOWING).stream()
              .map(FailOverSimTest.Held::node)
              .filter(node -> !cluster.coordination().leader().equals(Optional.of(node)))
              .findFirst()
              .orElseThrow();
      cluster.network().cut(primary.value(), lags.value());
      missing = 0;
      for (int number = 0; number < WRITES; number++) {
        write(backend);
      }
      assertTrue(closed(cluster, lags).compareTo(session.point().position()) < 0);
      cluster.network().heal();
      client.pause(5 * SECOND);
      assertTrue(session.point().position().isAtOrBelow(closed(cluster, lags)));
      assertEquals(littleEach || littleTogether, missing > 0, () -> missing + " times");
    }
    assertEquals(List.of(), world.violations());
  }

  private static Position closed(SimCluster cluster, NodeId node) {
    return copies(cluster, Copy.State.FOLLOWING).stream()
        .filter(held -> held.node().equals(node))
        .map(held -> held.copy().closed())
        .max(Position::compareTo)
        .orElseThrow();
  }
}
