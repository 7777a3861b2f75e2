package org.ecstore.tools.settled;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.tools.settled.Placement.Site;
import org.junit.jupiter.api.Test;

/** One range with its copies on nodes of some hosts, as the nodes tell of it. */
class PlacementTest {
  private static final RangeId RANGE = new RangeId(1);
  private static final KeyRange ALL = KeyRange.from(Bytes.EMPTY);
  private static final Epoch EPOCH = new Epoch(7);
  private static final EngineTraits JE = new EngineTraits("je", true, true, false, true);
  private static final EngineTraits MYSQL = new EngineTraits("mysql", false, true, false, true);
  private static final EngineTraits REDIS = new EngineTraits("redis", true, true, true, false);
  private static final EngineTraits ROCKS = new EngineTraits("rocksdb", true, false, false, true);

  private ReadPoint point = new ReadPoint(new Position(40), new MapVersion(3));
  private final List<Site> sites = new ArrayList<>();
  private final Map<Integer, NodeStatus> nodes = new TreeMap<>();

  /** A node without a copy that serves. */
  private void site(int node, String host, EngineTraits engine) {
    sites.add(new Site(node, host, engine));
    nodes.put(node, status(node, State.SERVING, "", List.of()));
  }

  private void copy(int node, CopyState state, long closed) {
    CopyLine line =
        new CopyLine(RANGE, EPOCH, ALL, state, Position.ZERO, new Position(closed), Position.ZERO);
    nodes.put(node, status(node, State.SERVING, "", List.of(line)));
  }

  private NodeStatus status(int node, State state, String waitsFor, List<CopyLine> copies) {
    Inspected seen =
        new Inspected(
            new NodeId(node),
            1,
            waitsFor,
            List.of(),
            List.of(),
            Optional.empty(),
            point,
            copies,
            new HotReplicasSeen(0, 0, 0, List.of()),
            List.of());
    return new NodeStatus(
        node, state, Optional.of(9L), "h:" + node, Optional.of(seen), Optional.empty());
  }

  private ClusterLook look(int primary, Integer... secondaries) {
    StatusReport map =
        new StatusReport(
            point,
            List.of(),
            List.of(new Route(RANGE, EPOCH, ALL, new NodeId(primary), "")),
            List.of(
                new Holders(
                    RANGE,
                    Optional.empty(),
                    Arrays.stream(secondaries).map(NodeId::new).toList())));
    return new ClusterLook(List.copyOf(nodes.values()), Optional.of(map));
  }

  private void assertLacks(String expected, ClusterLook look) {
    assertEquals(Optional.of(expected), new Placement(3, sites).lacking(look));
  }

  private void assertLacksWithout(int node, String expected, ClusterLook look) {
    assertEquals(Optional.of(expected), new Placement(3, sites).lackingWithout(node, look));
  }

  private void threeNodes() {
    for (int node = 1; node <= 3; node++) {
      site(node, "node-" + node, JE);
      copy(node, node == 1 ? CopyState.SERVING : CopyState.FOLLOWING, 40);
    }
  }

  /** As hosts with a node of each kind: the copies are on the last two of each host. */
  private void nineNodes(EngineTraits first) {
    for (int host = 1; host <= 3; host++) {
      site(3 * host - 2, "host-" + host, host == 1 ? first : JE);
      site(3 * host - 1, "host-" + host, MYSQL);
      site(3 * host, "host-" + host, REDIS);
    }
  }

  @Test
  void nothingIsLackingWhereAllCopiesAreWhole() {
    threeNodes();
    assertEquals(Optional.empty(), new Placement(3, sites).lacking(look(1, 2, 3)));
  }

  @Test
  void aCopyThatTheMapNamesIsNotThereBeforeItsNodeHasIt() {
    threeNodes();
    copy(2, CopyState.FOLLOWING, 39);
    assertLacks("the copy of range r1 on node 2 is not whole yet", look(1, 2, 3));
    copy(2, CopyState.LOST, 40);
    assertLacks("the copy of range r1 on node 2: lost", look(1, 2, 3));
    nodes.put(2, status(2, State.SERVING, "", List.of()));
    assertLacks("the copy of range r1 on node 2 is not whole yet", look(1, 2, 3));
  }

  @Test
  void aNodeThatIsDownOrWaitsIsLacking() {
    threeNodes();
    nodes.put(3, status(3, State.STARTING, "it has no range yet", List.of()));
    assertLacks("node 3 waits: it has no range yet", look(1, 2));
    nodes.put(
        3,
        new NodeStatus(3, State.DOWN, Optional.empty(), "h:3", Optional.empty(), Optional.empty()));
    assertLacks("node 3 is down", look(1, 2));
  }

  @Test
  void copiesAreTooFewOrOnTheWrongEngines() {
    threeNodes();
    nodes.put(3, status(3, State.SERVING, "", List.of()));
    assertLacks("range r1 lacks copies: 1 fewer on hosts of their own", look(1, 2));

    sites.clear();
    nodes.clear();
    nineNodes(JE);
    copy(1, CopyState.SERVING, 40);
    copy(4, CopyState.FOLLOWING, 40);
    copy(7, CopyState.FOLLOWING, 40);
    assertLacks("range r1 lacks copies: 2 kinds of engines without one", look(1, 4, 7));
    copy(5, CopyState.FOLLOWING, 40);
    copy(9, CopyState.FOLLOWING, 40);
    assertEquals(Optional.empty(), new Placement(3, sites).lacking(look(1, 5, 9)));
    copy(3, CopyState.FOLLOWING, 40);
    assertLacks("a copy of range r1 is one too many", look(1, 5, 9, 3));
  }

  /** The node that was changed is empty, and gets nothing that three others have already. */
  @Test
  void anEmptyNodeLacksNothingWhereTheOthersAreAsGoodAsAny() {
    nineNodes(ROCKS);
    copy(4, CopyState.SERVING, 40);
    copy(2, CopyState.FOLLOWING, 40);
    copy(9, CopyState.FOLLOWING, 40);
    assertEquals(Optional.empty(), new Placement(3, sites).lacking(look(4, 2, 9)));
  }

  @Test
  void withoutANodeTheOthersServeAndAreWhole() {
    threeNodes();
    nodes.put(
        3,
        new NodeStatus(3, State.DOWN, Optional.empty(), "h:3", Optional.empty(), Optional.empty()));
    assertEquals(Optional.empty(), new Placement(3, sites).lackingWithout(3, look(1, 2, 3)));
    assertLacksWithout(3, "no other node serves range r1 yet", look(3, 1, 2));
    assertLacksWithout(3, "range r1 has 1 other copies, and should have 2", look(1, 3));
    copy(2, CopyState.FOLLOWING, 12);
    assertLacksWithout(3, "the copy of range r1 on node 2 is not whole yet", look(1, 2, 3));
  }

  private void silent(int node) {
    nodes.put(
        node,
        new NodeStatus(
            node, State.SILENT, Optional.of(9L), "h:" + node, Optional.empty(), Optional.empty()));
  }

  /** Else a copy with little would be whole, for the nodes that know of more did not answer. */
  @Test
  void whatTheLedgerHasIsNotTakenFromALookInWhichANodeIsSilent() {
    threeNodes();
    silent(1);
    silent(2);
    silent(3);
    Placement all = new Placement(3, sites);
    Placement withoutOne = new Placement(3, sites);
    assertEquals(Optional.of("node 1 does not answer"), all.lacking(look(1, 2, 3)));
    assertEquals(
        Optional.of("node 1 does not answer"), withoutOne.lackingWithout(3, look(1, 2, 3)));
    copy(1, CopyState.SERVING, 40);
    copy(2, CopyState.FOLLOWING, 12);
    Optional<String> lack = Optional.of("the copy of range r1 on node 2 is not whole yet");
    assertEquals(Optional.of("node 3 does not answer"), all.lacking(look(1, 2, 3)));
    assertEquals(lack, withoutOne.lackingWithout(3, look(1, 2, 3)));
    copy(3, CopyState.FOLLOWING, 40);
    assertEquals(lack, all.lacking(look(1, 2, 3)));
    copy(2, CopyState.FOLLOWING, 40);
    assertEquals(Optional.empty(), all.lacking(look(1, 2, 3)));
    assertEquals(Optional.empty(), withoutOne.lackingWithout(3, look(1, 2, 3)));
  }

  /** By each look anew no secondary would have all while clients write. */
  @Test
  void aCopyIsWholeThatHasWhatTheLedgerHadInTheFirstLook() {
    threeNodes();
    copy(2, CopyState.FOLLOWING, 39);
    Placement placement = new Placement(3, sites);
    assertEquals(
        Optional.of("the copy of range r1 on node 2 is not whole yet"),
        placement.lacking(look(1, 2, 3)));
    point = new ReadPoint(new Position(70), new MapVersion(3));
    copy(1, CopyState.SERVING, 70);
    copy(2, CopyState.FOLLOWING, 65);
    copy(3, CopyState.FOLLOWING, 68);
    assertEquals(Optional.empty(), placement.lacking(look(1, 2, 3)));
  }

  /** The controller may add a node, or take one away, while something waits for rest. */
  @Test
  void aNodeThatHasComeHoldsCopiesAndOneThatHasGoneDoesNot() {
    threeNodes();
    Placement placement = new Placement(3, sites);
    assertEquals(Optional.empty(), placement.lacking(look(1, 2, 3)));
    site(4, "node-4", JE);
    copy(4, CopyState.FOLLOWING, 40);
    sites.remove(2);
    nodes.put(3, status(3, State.DRAINED, "", List.of()));
    assertEquals(Optional.of("node 3 has been drained"), placement.lacking(look(1, 2, 4)));
    placement.holdOn(sites);
    assertEquals(Optional.empty(), placement.lacking(look(1, 2, 4)));
  }

  @Test
  void theLastCopyThatPersistsIsNotGivenUp() {
    site(1, "a", REDIS);
    site(2, "b", REDIS);
    site(3, "c", JE);
    copy(1, CopyState.SERVING, 40);
    copy(2, CopyState.FOLLOWING, 40);
    assertLacksWithout(3, "no other copy of range r1 persists", look(1, 2, 3));
  }
}
