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
import org.ecstore.protocol.ClientReply;
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

  private static final int MADE_FOR_READING = 0;
  private static final int IN_MEMORY = 1;
  private static final int MADE_FOR_WRITING = 2;

  private final Map<String, Integer> ranks = new TreeMap<>();
  private final CopyChoice copies = new CopyChoice(address -> ranks.getOrDefault(address, 0));
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
  void theMakingOfAConnectionKeepsNoCopyFarForLong() {
    measureAll(1, 60, 1);
    assertEquals(0, shares(200).getOrDefault(SECOND, 0));
    measure(SECOND, 1, 0);
    assertTrue(shares(200).getOrDefault(SECOND, 0) > 30);
    measure(SECOND, 0.1, 0);
    assertEquals((long) (0.8875 * MILLI), copy(SECOND).roundTripNanos(), "later ones are smoothed");
  }

  @Test
  void aLongerSecondRoundTripIsSmoothedAsAnyOther() {
    measureAll(1, 1, 1);
    measure(SECOND, 9, 0);
    assertEquals(2 * MILLI, copy(SECOND).roundTripNanos());
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

  private void ranks(int primary, int second, int third) {
    ranks.put("n1:1", primary);
    ranks.put("n2:1", second);
    ranks.put("n3:1", third);
  }

  @Test
  void ofCopiesAsNearTheOneMadeForReadingIsAskedThenMemoryThenTheOneMadeForWriting() {
    measureAll(1.0, 1.2, 1.1);
    ranks(MADE_FOR_WRITING, MADE_FOR_READING, IN_MEMORY);
    assertEquals(Map.of(SECOND, 500), shares(500));
    assertEquals(Choice.Reason.READS_WELL, choose().orElseThrow().reason());
    assertEquals(THIRD, choose(SECOND).orElseThrow().node());
    assertEquals(Choice.Reason.READS_WELL, choose(SECOND).orElseThrow().reason());
    assertEquals(PRIMARY, choose(SECOND, THIRD).orElseThrow().node());
    assertEquals(Choice.Reason.ONLY_ONE, choose(SECOND, THIRD).orElseThrow().reason());
  }

  @Test
  void copiesAsNearWhoseEnginesReadAlikeShareTheReads() {
    measureAll(1, 1, 1);
    ranks(IN_MEMORY, MADE_FOR_WRITING, IN_MEMORY);
    Map<NodeId, Integer> shares = shares(1000);
    assertEquals(Set.of(PRIMARY, THIRD), shares.keySet());
    assertTrue(shares.values().stream().allMatch(share -> share > 300), shares::toString);
    ranks(MADE_FOR_WRITING, MADE_FOR_WRITING, MADE_FOR_WRITING);
    assertEquals(Set.of(PRIMARY, SECOND, THIRD), shares(1000).keySet());
    assertEquals(Choice.Reason.NEAR, choose().orElseThrow().reason());
  }

  @Test
  void aFarCopyThatReadsWellIsNotAsked() {
    measureAll(1, 10, 1);
    ranks(MADE_FOR_WRITING, MADE_FOR_READING, MADE_FOR_WRITING);
    assertEquals(Set.of(PRIMARY, THIRD), shares(500).keySet());
    assertEquals(Choice.Reason.NEAR, choose().orElseThrow().reason());
  }

  @Test
  void aCopyThatReadsWellAndHasMuchToDoIsPassedBy() {
    measureAll(1, 1, 1);
    ranks(MADE_FOR_WRITING, MADE_FOR_READING, IN_MEMORY);
    for (int i = 0; i < 20; i++) {
      copies.started(copy(SECOND));
    }
    assertEquals(Map.of(THIRD, 500), shares(500));
    assertEquals(Choice.Reason.READS_WELL, choose().orElseThrow().reason());
  }

  /** Rule 23: the Japanese paper's improvement of reads after bursts of writes. */
  @Test
  void aLaggingCopyThatReadsWellIsPassedOverForWhatWasJustWrittenOnly() {
    measureAll(1, 1, 1);
    ranks(MADE_FOR_WRITING, MADE_FOR_READING, MADE_FOR_WRITING);
    Choice lagging = copy(SECOND);
    copies.behind(lagging, source(lagging, 99, 0), now);
    Map<NodeId, Integer> justWritten = shares(1000);
    assertEquals(Set.of(PRIMARY, THIRD), justWritten.keySet(), justWritten::toString);
    for (int i = 0; i < 500; i++) {
      Choice older =
          copies
              .choose(ROUTE, KeyRange.ALL, new Position(99), Set.of(), now, random::nextDouble)
              .orElseThrow();
      assertEquals(SECOND, older.node());
      assertEquals(Choice.Reason.READS_WELL, older.reason());
    }
    now += 25 * MILLI;
    assertEquals(Map.of(SECOND, 200), shares(200));
  }

  /** It is there because the copies have much to do, and in memory whatever its node has. */
  @Test
  void noEngineReadsBetterThanAHotSpotReplica() {
    measureAll(1, 1, 1);
    ranks(MADE_FOR_WRITING, IN_MEMORY, MADE_FOR_WRITING);
    ranks.put("n4:1", MADE_FOR_WRITING);
    NodeId fourth = new NodeId(4);
    Choice replica =
        copies
            .redirected(copy(PRIMARY), new ClientReply.Redirect(fourth, "n4:1", KeyRange.ALL), now)
            .orElseThrow();
    copies.started(replica);
    copies.replied(replica, MILLI, now);
    assertEquals(Map.of(fourth, 300), shares(300));
  }

  @Test
  void thatACopyReadsWellIsSaidInWords() {
    measureAll(1.25, 1.25, 1.25);
    ranks(MADE_FOR_WRITING, MADE_FOR_READING, MADE_FOR_WRITING);
    assertEquals(
        "of the copies about as near its engine reads best (3 to choose from, 1.3 ms away)",
        choose().orElseThrow().why());
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
