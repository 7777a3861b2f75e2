package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.model.AdminRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators' requests that are told more than once, and what is said of them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class AdminRequestsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long ID = 77;
  private static final Bytes AT = Bytes.utf8("000");
  private static final Pattern MOVE = Pattern.compile("first \"cluster move r(\\d+) (\\d+)\"");

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(4, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(3));

  private void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
  }

  private List<CopyView> served() {
    List<CopyView> served = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        node.inspect().copies().stream()
            .filter(one -> one.state() == Copy.State.SERVING)
            .forEach(served::add);
      }
    }
    served.sort(Comparator.comparing(one -> one.keys().start()));
    return served;
  }

  private SimHost leader() {
    return CalmCluster.leader(cluster);
  }

  private Decision adminRequest(AdminRequest adminRequest, long id) {
    if (leader().machine() instanceof Node node) {
      return node.adminRequest(adminRequest, id);
    }
    throw new AssertionError("the leader is not up");
  }

  private CopyView range(KeyRange keys) {
    return served().stream().filter(one -> one.keys().equals(keys)).findFirst().orElseThrow();
  }

  @Test
  void requestIsDoneOnceHoweverOftenItIsTold() {
    start();
    AdminRequest split = new AdminRequest.Split(served().getFirst().id(), Optional.of(AT));
    Decision first = adminRequest(split, ID);
    assertEquals(first, adminRequest(split, ID));
    CalmCluster.run(world, 5 * SECOND);
    int ranges = served().size();
    Decision done = adminRequest(split, ID);
    assertEquals(first.number(), done.number());
    assertEquals(Outcome.DONE, done.outcome(), done::toString);
    CalmCluster.run(world, 5 * SECOND);
    assertEquals(ranges, served().size());

    Decision other = adminRequest(split, ID + 1);
    assertEquals(Outcome.REFUSED, other.outcome(), "the range is no more");
    assertEquals(other, adminRequest(split, ID + 1));
    Decision without = adminRequest(split, 0);
    assertTrue(
        without.number() > other.number() && adminRequest(split, 0).number() > without.number());
  }

  /** At every moment of a split its steward dies, and the next one is told the request again. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 60, 200})
  void requestToldAgainToTheNextStewardIsDoneOnce(long afterMillis) {
    start();
    List<CopyView> before = served();
    AdminRequest split = new AdminRequest.Split(before.getFirst().id(), Optional.of(AT));
    assertEquals(Outcome.UNDER_WAY, adminRequest(split, ID).outcome());
    CalmCluster.run(world, afterMillis * MILLI);
    SimHost first = leader();
    first.crash();
    long told = 0;
    while (told == 0) {
      CalmCluster.run(world, 5 * MILLI);
      // 0 while it does not lead, or not yet.
      told = leader().isUp() ? adminRequest(split, ID).number() : 0;
    }
    assertNotEquals(first.id(), leader().id());
    CalmCluster.run(world, 20 * SECOND);
    Decision done = adminRequest(split, ID);
    assertEquals(Outcome.DONE, done.outcome(), done::toString);
    assertEquals(before.size() + 1, served().size(), () -> served().toString());
    assertEquals(KeyRange.of(Bytes.EMPTY, AT), served().getFirst().keys());
    assertEquals(List.of(), world.violations());
  }

  @Test
  void whatWasDoneNamesTheNewRangesAndTheirKeysAsTheShellDoes() {
    start();
    CopyView first = served().getFirst();
    adminRequest(new AdminRequest.Split(first.id(), Optional.of(AT)), ID);
    CalmCluster.run(world, 5 * SECOND);
    RangeId low = served().get(0).id();
    RangeId high = served().get(1).id();
    Decision split = adminRequest(new AdminRequest.Split(first.id(), Optional.of(AT)), ID);
    assertEquals("split range " + first.id() + " at " + KeyText.of(AT), split.what());
    assertEquals(
        "split range %s: %s is below (0, 0, 0), %s from it on".formatted(first.id(), low, high),
        split.detail());

    AdminRequest both = new AdminRequest.Merge(low, high);
    adminRequest(both, ID + 1);
    CalmCluster.run(world, 5 * SECOND);
    assertEquals(
        "merge ranges %s and %s: they are %s, %s"
            .formatted(low, high, served().getFirst().id(), KeyText.brief(first.keys())),
        adminRequest(both, ID + 1).detail());

    Decision outside =
        adminRequest(new AdminRequest.Split(served().getLast().id(), Optional.of(Bytes.EMPTY)), 0);
    assertTrue(outside.detail().startsWith("key () does not split range"), outside::toString);
  }

  /** What the refusal of a merge advises does help. */
  @Test
  void mergeOfRangesOfTwoNodesSaysWhichMoveComesFirst() {
    start();
    List<CopyView> served = served();
    CopyView left = served.get(served.size() - 2);
    CopyView right = served.getLast();
    String alone = adminRequest(new AdminRequest.Merge(left.id(), right.id()), 0).detail();
    assertTrue(alone.contains("keeps the last range that belongs to it"), alone);

    adminRequest(new AdminRequest.Split(right.id(), Optional.empty()), 0);
    CalmCluster.run(world, 5 * SECOND);
    CopyView lower = served().get(served().size() - 2);
    String why = adminRequest(new AdminRequest.Merge(left.id(), lower.id()), 0).detail();
    Matcher advice = MOVE.matcher(why);
    assertTrue(advice.find(), why);
    assertEquals(lower.id().value(), Long.parseLong(advice.group(1)), why);
    adminRequest(
        new AdminRequest.Move(
            lower.id(), new NodeId(Long.parseLong(advice.group(2))), Optional.empty()),
        0);
    CalmCluster.run(world, 20 * SECOND);
    AdminRequest merge = new AdminRequest.Merge(range(left.keys()).id(), range(lower.keys()).id());
    adminRequest(merge, ID);
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(
        Outcome.DONE, adminRequest(merge, ID).outcome(), () -> adminRequest(merge, ID).toString());
    range(KeyRange.between(left.keys().start(), lower.keys().end()));
    assertEquals(List.of(), world.violations());
  }
}
