package org.ecstore.sim.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.world.SimRandom;
import org.junit.jupiter.api.Test;

/** Copies that are on other engines than the nodes allow are found. */
final class KindsCheckerTest {
  private static final String NEEDS =
      "copies are on engines that together are what they need (rule 23)";
  private static final String PRIMARY = "primaries are on engines that are fit for them (rule 23)";

  private static Map<NodeId, EngineTraits> nodes(EngineTraits... engines) {
    Map<NodeId, EngineTraits> nodes = new TreeMap<>();
    for (EngineTraits engine : engines) {
      nodes.put(new NodeId(nodes.size() + 1), engine);
    }
    return nodes;
  }

  private static List<String> rules(
      Map<NodeId, EngineTraits> nodes, boolean relaxed, int copies, long primary, long... others) {
    RangeDescriptor range =
        new RangeDescriptor(
            new RangeId(1),
            KeyRange.ALL,
            new Epoch(1),
            new NodeId(primary),
            1,
            LongStream.of(others).mapToObj(NodeId::new).toList());
    RangeMap map = RangeMap.of(new MapVersion(1), List.of(range));
    return KindsChecker.checkQuiet(map, nodes, copies, relaxed).stream()
        .map(Finding::rule)
        .toList();
  }

  @Test
  void copyInMemoryWhereAnotherWouldPersistIsFound() {
    Map<NodeId, EngineTraits> nodes =
        nodes(KindsOfNodes.BOTH, KindsOfNodes.MEMORY, KindsOfNodes.MEMORY, KindsOfNodes.READ);
    assertEquals(List.of(NEEDS), rules(nodes, false, 3, 1, 2, 3));
    assertEquals(List.of(), rules(nodes, false, 3, 1, 2, 4));
  }

  @Test
  void kindWithoutACopyIsFound() {
    Map<NodeId, EngineTraits> nodes =
        nodes(KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.WRITE);
    assertEquals(List.of(NEEDS), rules(nodes, false, 3, 1, 2, 3));
    assertEquals(List.of(), rules(nodes, false, 3, 1, 2, 4));
  }

  @Test
  void copyTooFewIsFound() {
    Map<NodeId, EngineTraits> nodes =
        nodes(KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.BOTH);
    assertEquals(List.of(NEEDS), rules(nodes, false, 3, 1, 2));
    assertEquals(List.of(), rules(nodes, false, 3, 1, 2, 3));
    assertEquals(List.of(), rules(nodes, false, 4, 1, 2, 3));
  }

  @Test
  void primaryThatIsNotFitIsFound() {
    Map<NodeId, EngineTraits> nodes = nodes(KindsOfNodes.READ, KindsOfNodes.BOTH);
    assertEquals(List.of(PRIMARY), rules(nodes, false, 2, 1, 2));
    assertEquals(List.of(PRIMARY), rules(nodes, true, 2, 1, 2));
    Map<NodeId, EngineTraits> none = nodes(KindsOfNodes.READ, KindsOfNodes.MEMORY);
    assertEquals(List.of(), rules(none, true, 2, 1, 2));
    assertEquals(List.of(PRIMARY), rules(none, true, 2, 2, 1));
  }

  @Test
  void nodesComeToNoWorseChoices() {
    SimRandom random = new SimRandom(1);
    List<EngineTraits> engines =
        List.of(KindsOfNodes.BOTH, KindsOfNodes.WRITE, KindsOfNodes.READ, KindsOfNodes.MEMORY);
    for (int i = 0; i < 2_000; i++) {
      Map<NodeId, EngineTraits> nodes = new TreeMap<>();
      List<Candidate> all = new ArrayList<>();
      for (int number = random.between(1, 8); number > 0; number--) {
        NodeId node = new NodeId(number);
        nodes.put(node, random.pick(engines));
        all.add(new Candidate(node, "host" + number, nodes.get(node)));
      }
      int copies = random.between(1, 5);
      Candidate primary = random.pick(all);
      CopyNeeds.Shortfall chosen =
          CopyChange.of(CopyNeeds.of(copies), List.of(primary), true, all).shortfall();
      int[] least = KindsChecker.leastOf(primary.node(), nodes, copies);
      assertEquals(
          List.of(least[0], least[1], least[2], least[3], least[4], least[5]),
          List.of(
              chosen.copies(),
              chosen.persisting(),
              chosen.unfit(),
              chosen.fastWrites(),
              chosen.fastReads(),
              chosen.missingKinds()),
          () -> copies + " copies, " + primary + " of " + nodes);
    }
  }
}
