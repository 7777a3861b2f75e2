package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class LeastSharesTest {
  private static final int SEEDS = LeastShares.SEEDS_MIN;
  private static final LeastShares.Asked NOTHING = LeastShares.Asked.NOTHING;
  private static final LeastShares.Asked ALL = new LeastShares.Asked(true, true);

  private static List<String> named(List<String> missed) {
    return missed.stream().map(line -> line.substring(0, line.indexOf(": in "))).toList();
  }

  /** A stage of the end that no seed reached any more left every seed clean. */
  @Test
  void whatNeverCameAboutIsSaidOfManySeeds() {
    List<String> missed = named(LeastShares.missed(SEEDS, Map.of(), NOTHING));
    assertTrue(missed.contains("crash"), missed.toString());
    assertTrue(missed.contains("the leader is frozen in the end"), missed.toString());
    assertTrue(missed.contains("a leased snapshot is read late"), missed.toString());
    assertFalse(missed.contains("a node is told that it is displaced"), missed.toString());
    assertFalse(missed.contains("a reader of changes came too late"), missed.toString());
  }

  @Test
  void ofFewSeedsNothingIsSaid() {
    assertEquals(List.of(), LeastShares.missed(SEEDS - 1, Map.of(), ALL));
  }

  @Test
  void whatTakesAdaptersOrReadersIsAskedOfSeedsThatHaveThem() {
    Map<String, Integer> seedsWith = new TreeMap<>();
    seedsWith.put(Adapters.COORDINATION_DRAWN, SEEDS);
    seedsWith.put(Readers.ARE_THERE, SEEDS);
    List<String> missed = named(LeastShares.missed(2 * SEEDS, seedsWith, NOTHING));
    assertTrue(missed.contains("a node is told that it is displaced"), missed.toString());
    assertTrue(missed.contains("a reader of changes came too late"), missed.toString());
  }

  /** A draw that no seed made any more took all that is asked of such seeds with it. */
  @Test
  void whatWasAskedForHasToBeThere() {
    List<String> missed = named(LeastShares.missed(SEEDS, Map.of(), ALL));
    assertTrue(missed.contains(Adapters.COORDINATION_DRAWN), missed.toString());
    assertTrue(missed.contains(Adapters.LEDGER_DRAWN), missed.toString());
    assertTrue(missed.contains(Readers.ARE_THERE), missed.toString());
    assertFalse(named(LeastShares.missed(SEEDS, Map.of(), NOTHING)).contains(Readers.ARE_THERE));
  }

  @Test
  void whatCameAboutInAllIsNotMissed() {
    Map<String, Integer> seedsWith = new TreeMap<>();
    named(LeastShares.missed(SEEDS, Map.of(), NOTHING)).forEach(what -> seedsWith.put(what, SEEDS));
    assertEquals(List.of(), LeastShares.missed(SEEDS, seedsWith, NOTHING));
  }
}
