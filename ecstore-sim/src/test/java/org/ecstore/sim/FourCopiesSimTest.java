package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.key.Bytes;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.FailOverSimTest.Held;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Four copies of which three persist (rule 23, decision 0092), as quorums of (4, 3, 2) have them.
 */
class FourCopiesSimTest {
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 4;
  private static final List<EngineTraits> OF_HOST =
      List.of(KindsOfNodes.WRITE, KindsOfNodes.READ, KindsOfNodes.MEMORY);

  /** What a range has: of each kind so many copies, as {@code memory 1, read 1, write 2}. */
  private static final Map<String, Integer> WANTED = Map.of("memory", 1, "read", 1, "write", 2);

  private static EngineTraits engine(long node) {
    return OF_HOST.get((int) (node - 1) % OF_HOST.size());
  }

  /**
   * Four hosts with a node of each kind. Three are there first, then of the fourth the node in
   * memory alone.
   */
  private static SimCluster fourHosts(World world, NodeMutation mutation) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(COPIES * OF_HOST.size(), SwarmSettings.MILLI),
            mutation,
            node ->
                NodeSettings.defaults("sim", "")
                    .withHost("host-" + (node.value() - 1) / OF_HOST.size())
                    .withCopies(COPIES)
                    .withTraits(NodeTraits.UNKNOWN.with("", engine(node.value()))));
    int first = (COPIES - 1) * OF_HOST.size();
    cluster.hosts().subList(0, first).forEach(host -> host.start());
    CalmCluster.run(world, 60 * SECOND);
    cluster.hosts().getLast().start();
    CalmCluster.run(world, 60 * SECOND);
    cluster.hosts().subList(first, cluster.hosts().size() - 1).forEach(host -> host.start());
    CalmCluster.run(world, 120 * SECOND);
    return cluster;
  }

  /** How many copies of each kind a range has, for all ranges. */
  private static List<Map<String, Integer>> kinds(SimCluster cluster) {
    List<Map<String, Integer>> all = new ArrayList<>();
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    FailOverSimTest.primaries(cluster)
        .forEach(
            (range, primary) -> {
              Map<String, Integer> kinds = new TreeMap<>();
              Stream.concat(
                      Stream.of(primary),
                      following.getOrDefault(range, List.of()).stream().map(Held::node))
                  .forEach(node -> kinds.merge(engine(node.value()).kind(), 1, Integer::sum));
              all.add(kinds);
            });
    return all;
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void threeOfFourPersistThoughASecondInMemoryWasThereFirst(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = fourHosts(world, NodeMutation.RIGHT);
    kinds(cluster).forEach(kinds -> assertEquals(WANTED, kinds));
    assertEquals(List.of(), world.violations());
  }

  /** Against rule 23: two of four persist, as of three. */
  private static final class TwoPersist extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected CopyNeeds needs() {
          CopyNeeds right = super.needs();
          return new CopyNeeds(
              right.copies(), 2, right.fastWrites(), right.fastReads(), right.kinds());
        }
      };
    }
  }

  @Test
  void aStewardThatIsContentWithTwoLeavesRangesWithTwo() {
    NodeMutation two =
        new NodeMutation(
            "two of four persist",
            (self, settings, ports) -> new Node(self, settings, new TwoPersist(), ports),
            NodeMutation.ClientBehaviour.RIGHT);
    List<Map<String, Integer>> found = kinds(fourHosts(new World(1, new Trace(null)), two));
    assertNotEquals(found.stream().map(_ -> WANTED).toList(), found);
  }
}
