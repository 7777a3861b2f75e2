package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CopyState;
import org.ecstore.model.NodeFact;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator has ranges split and merged while nothing else goes wrong, or the steward dies. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ReshapingSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 3;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(4, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(COPIES));

  private void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
  }

  /** The copies in a state, of nodes that are up. */
  private List<CopyView> copies(Copy.State state) {
    List<CopyView> found = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        node.inspect().copies().stream().filter(one -> one.state() == state).forEach(found::add);
      }
    }
    return found;
  }

  private List<CopyView> served() {
    List<CopyView> served = copies(Copy.State.SERVING);
    served.sort(java.util.Comparator.comparing(one -> one.keys().start()));
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    for (CopyView one : served) {
      assertEquals(expected, Optional.of(one.keys().start()), () -> "each key once: " + served);
      expected = one.keys().end();
    }
    assertEquals(Optional.empty(), expected, () -> "to the end of all keys: " + served);
    return served;
  }

  private SimHost leader() {
    return cluster.hosts().stream()
        .filter(host -> cluster.coordination().leader().equals(Optional.of(host.id())))
        .findFirst()
        .orElseThrow();
  }

  private static Node node(SimHost host) {
    if (host.machine() instanceof Node node) {
      return node;
    }
    throw new AssertionError(host.id() + " is not up");
  }

  /** Why a request is refused, if it is. */
  private Optional<String> adminRequest(AdminRequest adminRequest) {
    if (leader().machine() instanceof Node node) {
      Decision decision = node.adminRequest(adminRequest);
      return decision.outcome() == Decision.Outcome.REFUSED
          ? Optional.of(decision.detail())
          : Optional.empty();
    }
    return Optional.of("not up");
  }

  private static Set<KeyRange> keys(List<CopyView> copies) {
    Set<KeyRange> keys = new TreeSet<>(java.util.Comparator.comparing(KeyRange::start));
    copies.forEach(one -> keys.add(one.keys()));
    return keys;
  }

  @Test
  void aRangeIsSplitAndMergedOnTheNodesWhereItIs() {
    start();
    CopyView first = served().getFirst();
    int before = served().size();
    Bytes at = Bytes.utf8("000");
    assertEquals(
        Optional.empty(), adminRequest(new AdminRequest.Split(first.id(), Optional.of(at))));
    CalmCluster.run(world, 5 * SECOND);
    List<CopyView> split = served();
    assertEquals(before + 1, split.size());
    assertEquals(KeyRange.of(Bytes.EMPTY, at), split.getFirst().keys());
    assertEquals(
        2 * split.size(), copies(Copy.State.FOLLOWING).size(), "each range has its secondaries");
    assertEquals(
        Optional.empty(),
        adminRequest(new AdminRequest.Merge(split.get(1).id(), split.getFirst().id())),
        "in any order");
    CalmCluster.run(world, 5 * SECOND);
    assertEquals(before, served().size());
    assertEquals(first.keys(), served().getFirst().keys());
    assertEquals(2 * before, copies(Copy.State.FOLLOWING).size());
    assertEquals(List.of(), world.violations());
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() {
    start();
    List<CopyView> served = served();
    CopyView last = served.getLast();
    assertRefused("no range", new AdminRequest.Split(new RangeId(999_999), Optional.empty()));
    assertRefused(
        "does not split", new AdminRequest.Split(last.id(), Optional.of(last.keys().start())));
    assertRefused(
        "does not split",
        new AdminRequest.Split(served.getFirst().id(), Optional.of(last.keys().start())));
    assertRefused("not adjacent", new AdminRequest.Merge(last.id(), served.getFirst().id()));
    assertRefused(
        "two nodes of the tree",
        new AdminRequest.Merge(last.id(), served.get(served.size() - 2).id()));
    assertEquals(keys(served), keys(served()), "nothing was done");
  }

  private void assertRefused(String why, AdminRequest adminRequest) {
    Optional<String> refused = adminRequest(adminRequest);
    assertTrue(
        refused.isPresent() && refused.get().contains(why), () -> adminRequest + ": " + refused);
  }

  /** At every moment of a split: it is completed, or nothing has happened. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 6, 8, 10, 15, 20, 30, 60, 200})
  void aSplitSurvivesTheDeathOfTheSteward(long afterMillis) {
    start();
    List<CopyView> before = served();
    Bytes at = Bytes.utf8("000");
    assertEquals(
        Optional.empty(),
        adminRequest(new AdminRequest.Split(before.getFirst().id(), Optional.of(at))));
    CalmCluster.run(world, afterMillis * MILLI);
    SimHost steward = leader();
    steward.crash();
    CalmCluster.run(world, 5 * SECOND);
    steward.start();
    CalmCluster.run(world, 60 * SECOND);
    Set<KeyRange> now = keys(served());
    if (now.size() == before.size()) {
      assertEquals(keys(before), now);
    } else {
      assertEquals(before.size() + 1, now.size());
      assertTrue(now.contains(KeyRange.of(Bytes.EMPTY, at)), now::toString);
    }
    assertEquals(2 * now.size(), copies(Copy.State.FOLLOWING).size());
    assertEquals(List.of(), world.violations());
  }

  /**
   * A node gives a range away, builds a copy of it again, and restarts: by the first map that it
   * hears of it still had the range, by the next it has not. What it built must stay.
   */
  @Test
  void whatWasBuiltOutlastsAnOlderMap() {
    assertEquals(List.of(), Simulation.run(50_497, NodeMutation.RIGHT).violations());
  }

  private Optional<NodeId> primaryOf(KeyRange keys) {
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node
          && node.inspect().copies().stream()
              .anyMatch(one -> one.state() == Copy.State.SERVING && one.keys().equals(keys))) {
        return Optional.of(host.id());
      }
    }
    return Optional.empty();
  }

  private CopyView serving(KeyRange keys) {
    return served().stream().filter(one -> one.keys().equals(keys)).findFirst().orElseThrow();
  }

  private List<NodeId> holders(KeyRange keys) {
    return cluster.hosts().stream()
        .filter(
            host ->
                host.machine() instanceof Node node
                    && node.inspect().copies().stream().anyMatch(one -> one.keys().equals(keys)))
        .map(SimHost::id)
        .toList();
  }

  /** To who has a copy and to who has none: it is served there, also long after, by K nodes. */
  @Test
  void aRangeThatIsMovedStaysWhereItIs() {
    start();
    Bytes at = Bytes.utf8("000");
    assertEquals(
        Optional.empty(),
        adminRequest(new AdminRequest.Split(served().getFirst().id(), Optional.of(at))));
    CalmCluster.run(world, 10 * SECOND);
    KeyRange keys = KeyRange.of(Bytes.EMPTY, at);
    for (SimHost to : cluster.hosts()) {
      if (!primaryOf(keys).equals(Optional.of(to.id()))) {
        CopyView range = serving(keys);
        assertEquals(
            Optional.empty(),
            adminRequest(new AdminRequest.Move(range.id(), to.id(), Optional.empty())));
        CalmCluster.run(world, 60 * SECOND);
        assertEquals(Optional.of(to.id()), primaryOf(keys));
        assertEquals(COPIES, holders(keys).size());
      }
    }
    assertEquals(List.of(), world.violations());
  }

  @Test
  void aSecondaryIsMovedToWhoHasNone() {
    start();
    CopyView range = served().getFirst();
    NodeId primary = primaryOf(range.keys()).orElseThrow();
    List<NodeId> holders = new ArrayList<>(holders(range.keys()));
    NodeId free =
        cluster.hosts().stream()
            .map(SimHost::id)
            .filter(id -> !holders.contains(id))
            .findFirst()
            .orElseThrow();
    holders.remove(primary);
    assertRefused(
        "one less", new AdminRequest.Move(range.id(), holders.get(0), Optional.of(holders.get(1))));
    assertRefused(
        "not in the tree", new AdminRequest.Move(range.id(), new NodeId(77), Optional.empty()));
    assertRefused("already", new AdminRequest.Move(range.id(), primary, Optional.empty()));
    assertEquals(
        Optional.empty(),
        adminRequest(new AdminRequest.Move(range.id(), free, Optional.of(holders.get(0)))));
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(Set.of(primary, free, holders.get(1)), Set.copyOf(holders(range.keys())));
    assertEquals(List.of(), world.violations());
  }

  /** A node that is there hands everything on; of one that is gone others have it already. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatIsDrainedHasNothing(boolean isThere) {
    start();
    SimHost victim =
        cluster.hosts().stream().filter(host -> host != leader()).findFirst().orElseThrow();
    if (!isThere) {
      victim.crash();
      CalmCluster.run(world, 20 * SECOND);
    }
    assertEquals(Optional.empty(), adminRequest(new AdminRequest.Drain(victim.id())));
    CalmCluster.run(world, 90 * SECOND);
    int ranges = served().size();
    assertEquals(
        (COPIES - 1) * ranges, copies(Copy.State.FOLLOWING).size(), "K on those that stay");
    if (victim.machine() instanceof Node node) {
      assertEquals(List.of(), node.inspect().copies());
      assertEquals(Departure.Stage.DEPARTED, node.departure().stage());
    }
    if (leader().machine() instanceof Node node) {
      Decision last =
          node.decisions().stream()
              .filter(one -> one.what().equals("drain " + victim.id()))
              .findFirst()
              .orElseThrow();
      assertEquals(Decision.Outcome.DONE, last.outcome(), () -> node.decisions().toString());
    }
    assertEquals(List.of(), world.violations());
  }

  /** The sequencer and the steward move off a node that is drained (rule 6 makes that safe). */
  @Test
  void aNodeThatIsDrainedDoesNotLead() {
    start();
    SimHost victim = leader();
    assertEquals(Optional.empty(), adminRequest(new AdminRequest.Drain(victim.id())));
    CalmCluster.run(world, 90 * SECOND);
    Node drained = node(victim);
    assertEquals(Departure.Stage.DEPARTED, drained.departure().stage());
    assertTrue(leader() != victim, "another node is to lead");
    assertTrue(!drained.inspect().sequencing());
    assertTrue(node(leader()).inspect().sequencing());
    assertEquals((COPIES - 1) * served().size(), copies(Copy.State.FOLLOWING).size());
    assertEquals(List.of(), world.violations());
  }

  /** Where no other node is there to lead, one that was drained does, and the cluster goes on. */
  @Test
  void aNodeThatIsDrainedLeadsWhereNoOtherIsThere() {
    start();
    SimHost victim = leader();
    assertEquals(Optional.empty(), adminRequest(new AdminRequest.Drain(victim.id())));
    CalmCluster.run(world, 90 * SECOND);
    cluster.hosts().stream().filter(host -> host != victim).forEach(SimHost::crash);
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(victim, leader());
    assertTrue(node(victim).inspect().sequencing());
    cluster.hosts().stream().filter(host -> host != victim).forEach(SimHost::start);
    CalmCluster.run(world, 150 * SECOND);
    assertTrue(leader() != victim, "another node is to lead again");
    assertEquals(List.of(), world.violations());
  }

  /** While a node is drained its decision says what is left on it, and is never without. */
  @Test
  void aDrainSaysWhatItWaitsFor() {
    start();
    SimHost victim =
        cluster.hosts().stream().filter(host -> host != leader()).findFirst().orElseThrow();
    assertEquals(Optional.empty(), adminRequest(new AdminRequest.Drain(victim.id())));
    Set<String> said = new TreeSet<>();
    for (int i = 0; i < 9_000 && drain(victim).outcome() == Decision.Outcome.UNDER_WAY; i++) {
      said.add(drain(victim).detail());
      CalmCluster.run(world, 10 * MILLI);
    }
    assertEquals(Decision.Outcome.DONE, drain(victim).outcome());
    String begins = victim.id() + " still serves 1 ranges and has ";
    assertTrue(said.stream().anyMatch(text -> text.startsWith(begins)), said::toString);
    assertTrue(said.stream().allMatch(text -> text.startsWith(victim.id() + " ")), said::toString);
  }

  private Decision drain(SimHost victim) {
    return node(leader()).decisions().stream()
        .filter(one -> one.what().equals("drain " + victim.id()))
        .findFirst()
        .orElseThrow();
  }

  /** What an operator sees of a node whose disk is full. */
  @Test
  void aCopyWhoseEngineRefusesWritesDoesNotFollow() {
    start();
    SimHost victim =
        cluster.hosts().stream().filter(host -> host != leader()).findFirst().orElseThrow();
    Node node = node(victim);
    assertEquals(Optional.empty(), node.inspect().engineRefuses());
    cluster.disk(victim).full(true);
    CopyView served = served().getFirst();
    assertEquals(
        Optional.empty(),
        adminRequest(new AdminRequest.Split(served.id(), Optional.of(Bytes.utf8("000")))));
    CalmCluster.run(world, 10 * SECOND);
    assertTrue(node.inspect().engineRefuses().isPresent());
    assertTrue(
        node.inspect().copies().stream()
            .map(node.inspect()::state)
            .anyMatch(CopyState.REFUSES_WRITES::equals));
    assertTrue(
        node.inspect().facts().stream()
            .anyMatch(fact -> fact.name().equals(NodeFact.ENGINE_REFUSES)));

    cluster.disk(victim).full(false);
    CalmCluster.run(world, 10 * SECOND);
    assertEquals(Optional.empty(), node.inspect().engineRefuses());
    assertTrue(
        node.inspect().copies().stream()
            .map(node.inspect()::state)
            .noneMatch(CopyState.REFUSES_WRITES::equals));
  }

  /** A node is about to leave, others have got copies in its stead, and it stays after all. */
  @Test
  void aCopyTooManyGoes() {
    start();
    SimHost undecided =
        cluster.hosts().stream().filter(host -> host != leader()).findFirst().orElseThrow();
    if (undecided.machine() instanceof Node node) {
      node.depart();
      for (int i = 0; i < 2_000 && !hasOneTooMany(); i++) {
        CalmCluster.run(world, MILLI);
      }
      assertTrue(hasOneTooMany(), "another copy was made");
      node.stay();
    }
    CalmCluster.run(world, 60 * SECOND);
    for (CopyView range : served()) {
      assertEquals(COPIES, holders(range.keys()).size(), () -> "of " + range);
    }
    assertEquals(List.of(), world.violations());
  }

  private boolean hasOneTooMany() {
    return copies(Copy.State.SERVING).stream()
        .anyMatch(range -> holders(range.keys()).size() > COPIES);
  }

  /** What was done before is known to who is steward next, with the reasons. */
  @Test
  void decisionsOutlastTheSteward() {
    start();
    assertEquals(
        Optional.empty(),
        adminRequest(
            new AdminRequest.Split(served().getFirst().id(), Optional.of(Bytes.utf8("000")))));
    CalmCluster.run(world, 5 * SECOND);
    leader().crash();
    CalmCluster.run(world, 20 * SECOND);
    if (leader().machine() instanceof Node node) {
      assertTrue(
          node.decisions().stream()
              .anyMatch(
                  one ->
                      one.cause() == Decision.Cause.OPERATOR
                          && one.outcome() == Decision.Outcome.DONE
                          && one.what().contains("split range")),
          () -> node.decisions().toString());
    }
    assertEquals(List.of(), world.violations());
  }
}
