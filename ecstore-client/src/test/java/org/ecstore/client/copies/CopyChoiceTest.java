package org.ecstore.client.copies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Route;
import org.junit.jupiter.api.Test;

class CopyChoiceTest {
  private static final long MILLI = 1_000_000L;
  private static final NodeId PRIMARY = new NodeId(1);
  private static final NodeId SECOND = new NodeId(2);
  private static final NodeId THIRD = new NodeId(3);
  private static final Route ROUTE =
      new Route(
          new RangeId(1),
          new Epoch(1),
          KeyRange.ALL,
          PRIMARY,
          "n1:1",
          List.of(new Route.Secondary(SECOND, "n2:1"), new Route.Secondary(THIRD, "n3:1")));
  private static final Position AT = new Position(100);

  private final CopyChoice copies = new CopyChoice();
  private final Random random = new Random(7);
  private long now = 1;

  private Optional<Choice> choose(NodeId... avoid) {
    return copies.choose(ROUTE, KeyRange.ALL, AT, Set.of(avoid), now, random::nextDouble);
  }

  private Choice copy(NodeId node) {
    List<NodeId> others = new ArrayList<>(List.of(PRIMARY, SECOND, THIRD));
    others.remove(node);
    return choose(others.toArray(NodeId[]::new)).orElseThrow();
  }

  private static ReadSource source(Choice choice, long closed, int load) {
    return new ReadSource(
        choice.node(), choice.role(), new Position(closed), new Position(200), load);
  }

  private void measure(NodeId node, double millis, int load) {
    Choice choice = copy(node);
    copies.started(choice);
    copies.replied(choice, (long) (millis * MILLI), now);
    copies.answered(choice, source(choice, 200, load));
  }

  private void measureAll(double primary, double second, double third) {
    measure(PRIMARY, primary, 0);
    measure(SECOND, second, 0);
    measure(THIRD, third, 0);
  }

  /** Who is chosen how often in so many choices. */
  private Map<NodeId, Integer> shares(int choices) {
    Map<NodeId, Integer> shares = new TreeMap<>();
    for (int i = 0; i < choices; i++) {
      shares.merge(choose().orElseThrow().node(), 1, Integer::sum);
    }
    return shares;
  }

  @Test
  void everyCopyIsMeasuredOnceBeforeAnyIsPreferred() {
    Map<NodeId, Integer> asked = new TreeMap<>();
    for (int i = 0; i < 3; i++) {
      Choice choice = choose().orElseThrow();
      assertEquals(Choice.Reason.MEASURED, choice.reason());
      asked.merge(choice.node(), 1, Integer::sum);
      copies.started(choice);
    }
    assertEquals(Map.of(PRIMARY, 1, SECOND, 1, THIRD, 1), asked);
  }

  @Test
  void theNearestCopyIsAsked() {
    measureAll(10, 1, 10);
    assertEquals(Map.of(SECOND, 1000), shares(1000));
    assertEquals(Choice.Reason.NEAR, choose().orElseThrow().reason());
  }

  @Test
  void copiesThatAreAboutAsNearShareTheReads() {
    measureAll(1.0, 1.2, 0.9);
    Map<NodeId, Integer> shares = shares(3000);
    for (NodeId node : List.of(PRIMARY, SECOND, THIRD)) {
      assertTrue(shares.getOrDefault(node, 0) > 700, shares::toString);
    }
  }

  @Test
  void ofCopiesAsNearTheOneWithLessToDoIsAsked() {
    measure(PRIMARY, 1, 3);
    measure(SECOND, 1, 0);
    measure(THIRD, 1, 3);
    Map<NodeId, Integer> shares = shares(3000);
    assertTrue(shares.getOrDefault(SECOND, 0) > 1500, shares::toString);
  }

  @Test
  void ownReadsThatAreUnderWayCountAsLoad() {
    measureAll(1, 1, 1);
    for (int i = 0; i < 20; i++) {
      copies.started(copy(PRIMARY));
    }
    assertEquals(0, shares(500).getOrDefault(PRIMARY, 0));
  }

  @Test
  void aCopyThatIsBehindIsNotAskedAgainForAWhile() {
    measureAll(10, 1, 10);
    copies.behind(copy(SECOND), source(copy(SECOND), 99, 0), now);
    assertEquals(0, shares(200).getOrDefault(SECOND, 0));
    now += 25 * MILLI;
    assertEquals(Map.of(SECOND, 200), shares(200));
  }

  @Test
  void aCopyThatIsBehindIsAskedForWhatItKnows() {
    measureAll(10, 1, 10);
    copies.behind(copy(SECOND), source(copy(SECOND), 99, 0), now);
    Choice old =
        copies
            .choose(ROUTE, KeyRange.ALL, new Position(99), Set.of(), now, random::nextDouble)
            .orElseThrow();
    assertEquals(SECOND, old.node());
  }

  @Test
  void aCopyThatStaysBehindIsAskedLessAndLess() {
    measureAll(10, 1, 10);
    Choice second = copy(SECOND);
    for (int i = 0; i < 4; i++) {
      copies.behind(second, source(second, 99, 0), now);
    }
    now += 100 * MILLI;
    assertEquals(0, shares(200).getOrDefault(SECOND, 0));
    now += 100 * MILLI;
    assertEquals(Map.of(SECOND, 200), shares(200));
  }

  @Test
  void aNodeThatFailedIsAvoidedWhileThereAreOthers() {
    measureAll(1, 10, 10);
    Choice primary = copy(PRIMARY);
    copies.started(primary);
    copies.failed(primary, now);
    assertEquals(0, shares(200).getOrDefault(PRIMARY, 0));
    assertEquals(PRIMARY, choose(SECOND, THIRD).orElseThrow().node());
    now += 1_100 * MILLI;
    assertEquals(Map.of(PRIMARY, 200), shares(200));
  }

  @Test
  void whenEveryCopyWasAskedThereIsNone() {
    assertEquals(Optional.empty(), choose(PRIMARY, SECOND, THIRD));
    assertEquals(PRIMARY, copies.leastBehind(ROUTE).node());
  }

  @Test
  void withoutAPrimaryTheOneThatWasFurthestIsLeastBehind() {
    Route headless =
        new Route(ROUTE.range(), ROUTE.epoch(), ROUTE.keys(), PRIMARY, "", ROUTE.secondaries());
    copies.behind(copy(SECOND), source(copy(SECOND), 90, 0), now);
    copies.behind(copy(THIRD), source(copy(THIRD), 95, 0), now);
    assertEquals(THIRD, copies.leastBehind(headless).node());
    assertEquals(CopyRole.SECONDARY, copies.leastBehind(headless).role());
  }

  @Test
  void aFarCopyThatHasComeNearIsNoticed() {
    measureAll(1, 10, 10);
    now += 6_000 * MILLI;
    measure(PRIMARY, 1, 0);
    int asked = shares(1000).getOrDefault(SECOND, 0);
    assertTrue(asked > 20 && asked < 200, () -> "asked " + asked + " times of 1000");
  }

  @Test
  void theReasonIsSaidInWords() {
    measureAll(10, 1.25, 10);
    assertEquals(
        "no copy is much nearer, and of two drawn at random this one had less to do"
            + " (3 to choose from, 1.3 ms away)",
        choose().orElseThrow().why());
  }
}
